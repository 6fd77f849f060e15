/** The command `lightwell restore` restores a gallery from an archive into the configured database and storage. */
import { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { countDigestedRows } from '../transfer/digest.ts';

export function restoreCommand(): Command {
  return new Command('restore')
    .description('restore a gallery from an archive into an empty database and storage')
    .argument('<file>', 'the archive to read, written by backup')
    .action(runRestore);
}

async function runRestore(file: string): Promise<void> {
  const { restoreBackupArchive } = await import('../transfer/restore/restore.ts');
  const { createProgressLine } = await import('./progress.ts');
  const { header, manifest } = await restoreBackupArchive(file, readConfig(), createProgressLine());
  const rows = countDigestedRows(manifest.tables);
  const { length } = manifest.missing;
  const missing = length > 0 ? ` ${length} files were already missing from that gallery.` : '';
  console.log(`Restored ${rows} rows and ${manifest.objects} files of ${header.created}.${missing}`);
}
