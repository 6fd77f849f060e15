/** The command `lightwell move` copies a gallery to another database and storage. */
import { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { countSumRows } from '../transfer/digest.ts';

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
    .requiredOption('--database <url>', 'postgres://…, or for SQLite the folder that will be DATA_DIR')
    .requiredOption('--storage <url>', 's3://…, or the folder that will be DATA_DIR')
    .option('--from-database <url>', 'the gallery to copy, unless it is the one of the settings')
    .option('--from-storage <url>', 'its storage')
    .option('--accept-damage', 'finish even if the gallery lacks pictures that it should have')
    .action(run);
}

async function run(flags: MoveFlags): Promise<void> {
  const { createLocation } = await import('../transfer/gallery-location.ts');
  const { move } = await import('../transfer/move/move.ts');
  const { createProgress } = await import('./progress.ts');
  const config = readConfig();
  const from = createLocation(
    flags.fromDatabase ?? config.databaseUrl ?? config.dataDir,
    flags.fromStorage ?? config.storageUrl ?? config.dataDir,
    config.storageKeys,
  );
  const { databaseLimits } = config;
  const to = { ...createLocation(flags.database, flags.storage, config.storageKeys), databaseLimits };
  console.error('What is written to the gallery from now on is not carried over: stop its server first.');
  const moved = await move({
    from,
    to,
    acceptDamage: flags.acceptDamage === true,
    progress: createProgress(),
  });
  const rows = countSumRows(moved.tables);
  console.log(
    `Moved: ${rows} rows in ${Object.keys(moved.tables).length} tables and ${moved.copied + moved.present} files ` +
      `(${moved.present} were there already), all compared.`,
  );
  if (config.secret) console.log('SECRET is set here: set the same one at the new place, or old links end.');
}
