/** The command line. Each command has a file of its own in `commands/`. */
import { Command } from 'commander';
import pkg from '../package.json' with { type: 'json' };
import { ConfigError } from './config.ts';
import { keepNewFilesPrivate } from './platform/process/private-files.ts';
import { adoptCommand } from './tools/commands/adopt.ts';
import { backupCommand } from './tools/commands/backup.ts';
import { checkCommand } from './tools/commands/check.ts';
import { exportCommand } from './tools/commands/export.ts';
import { messageOf } from './tools/commands/failure.ts';
import { importCommand } from './tools/commands/import.ts';
import { moveCommand } from './tools/commands/move.ts';
import { orphansCommand } from './tools/commands/orphans.ts';
import { restoreCommand } from './tools/commands/restore.ts';
import { serveCommand } from './tools/commands/serve.ts';
import { userCommand } from './tools/commands/user/user.ts';

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
