/** The command `lightwell restore` restores a gallery from an archive into the configured database and storage. */
import { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { countSumRows } from '../transfer/digest.ts';

export function restoreCommand(): Command {
  return new Command('restore')
    .description('give a gallery back from an archive, into a database and a storage that are empty')
    .argument('<file>', 'what backup has written')
    .action(run);
}

async function run(file: string): Promise<void> {
  const { restore } = await import('../transfer/restore/restore.ts');
  const { createProgress } = await import('./progress.ts');
  const { header, manifest } = await restore(file, readConfig(), createProgress());
  const rows = countSumRows(manifest.tables);
  const { length } = manifest.missing;
  const missing = length > 0 ? ` ${length} files were missing then already.` : '';
  console.log(
    `Restored: ${rows} rows and ${manifest.objects} files, as the gallery was at ${header.created}.${missing}`,
  );
}
