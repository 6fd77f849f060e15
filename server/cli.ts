/** The command line. Each command has a file of its own in `commands/`. */
import { Command } from 'commander';
import pkg from '../package.json' with { type: 'json' };
import { adoptCommand } from './commands/adopt.ts';
import { backupCommand } from './commands/backup.ts';
import { checkCommand } from './commands/check.ts';
import { exportCommand } from './commands/export.ts';
import { messageOf } from './commands/failure.ts';
import { importCommand } from './commands/import.ts';
import { moveCommand } from './commands/move.ts';
import { orphansCommand } from './commands/orphans.ts';
import { restoreCommand } from './commands/restore.ts';
import { serveCommand } from './commands/serve.ts';
import { userCommand } from './commands/user.ts';
import { ConfigError } from './config.ts';
import { keepNewFilesPrivate } from './operations/private-files.ts';

// Archives and exports hold private photos, too.
keepNewFilesPrivate();

const program = new Command('lightwell')
  .description(pkg.description)
  .version(pkg.version)
  .showHelpAfterError('(add --help for the usage)')
  .addCommand(serveCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(moveCommand())
  .addCommand(userCommand())
  .addCommand(checkCommand())
  .addCommand(orphansCommand())
  .addCommand(adoptCommand())
  .addCommand(importCommand())
  .addCommand(exportCommand());

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : messageOf(error));
  process.exitCode = 1;
}
