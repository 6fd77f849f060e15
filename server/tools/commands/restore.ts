/** The command `lightwell restore` restores a gallery from an archive into the configured database and storage. */
import { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { countSumRows } from '../transfer/digest.ts';

export function restoreCommand(): Command {
  return new Command('restore')
    .description('restore a gallery from an archive into an empty database and storage')
    .argument('<file>', 'the archive to read, written by backup')
    .action(runRestore);
}

async function runRestore(file: string): Promise<void> {
  const { restoreArchive } = await import('../transfer/restore/restore.ts');
  const { createProgress } = await import('./progress.ts');
  const { header, manifest } = await restoreArchive(file, readConfig(), createProgress());
  const rows = countSumRows(manifest.tables);
  const { length } = manifest.missing;
  const missing = length > 0 ? ` ${length} files were already missing from that gallery.` : '';
  console.log(`Restored ${rows} rows and ${manifest.objects} files of ${header.created}.${missing}`);
}
