/** The command `lightwell move` copies a gallery to another database and storage. */
import { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { countDigestedRows } from '../transfer/digest.ts';

interface MoveFlags {
  database: string;
  storage: string;
  fromDatabase?: string;
  fromStorage?: string;
  acceptDamage?: boolean;
}

export function moveCommand(): Command {
  return new Command('move')
    .description('copy the gallery to another database and storage, which must be empty')
    .requiredOption('--database <url>', 'new database: postgres://…, or for SQLite the future DATA_DIR')
    .requiredOption('--storage <url>', 'new storage: s3://…, or the future DATA_DIR')
    .option('--from-database <url>', 'database of the gallery to copy (default: from the settings)')
    .option('--from-storage <url>', 'storage of the gallery to copy (default: from the settings)')
    .option('--accept-damage', 'finish even if files of the gallery are missing or damaged')
    .action(runMove);
}

async function runMove(flags: MoveFlags): Promise<void> {
  const { parseGalleryLocation } = await import('../transfer/gallery-location.ts');
  const { moveGallery } = await import('../transfer/move/move.ts');
  const { createProgressLine } = await import('./progress.ts');
  const config = readConfig();
  const from = parseGalleryLocation(
    flags.fromDatabase ?? config.databaseUrl ?? config.dataDir,
    flags.fromStorage ?? config.storageUrl ?? config.dataDir,
    config.storageKeys,
  );
  const { databaseLimits } = config;
  const to = { ...parseGalleryLocation(flags.database, flags.storage, config.storageKeys), databaseLimits };
  console.error('Changes made to the gallery during the copy are lost. Stop its server first.');
  const moved = await moveGallery({
    from,
    to,
    acceptDamage: flags.acceptDamage === true,
    progress: createProgressLine(),
  });
  const rows = countDigestedRows(moved.tables);
  console.log(
    `Moved ${rows} rows in ${Object.keys(moved.tables).length} tables and ` +
      `${moved.copied + moved.present} files (${moved.present} were already there). All of them ` +
      'were compared.',
  );
  if (config.secret)
    console.log('Set the same SECRET for the moved gallery. Otherwise existing links stop working.');
}
