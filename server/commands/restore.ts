/** `lightwell restore`: a gallery from its archive, into the home that the settings name. */
import { Command } from 'commander';
import { readConfig } from '../config.ts';

export function restoreCommand(): Command {
  return new Command('restore')
    .description('give a gallery back from an archive, into a database and a storage that are empty')
    .argument('<file>', 'what backup has written')
    .action(run);
}

async function run(file: string): Promise<void> {
  const { restore } = await import('../backup/restore.ts');
  const { createProgress } = await import('./progress.ts');
  const { header, manifest } = await restore(file, readConfig(), createProgress());
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `Restored: ${rows} rows and ${manifest.objects} files, as the gallery was at ${header.created}. ` +
      (manifest.missing.length > 0 ? `${manifest.missing.length} files were missing then already.` : ''),
  );
}
