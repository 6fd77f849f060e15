/** The program of the command line. Each command is in its own file. */
import { Command } from 'commander';
import pkg from '../../../package.json' with { type: 'json' };
import { accessCommand } from './access.ts';
import { adoptCommand } from './adopt.ts';
import { backupCommand } from './backup.ts';
import { checkCommand } from './check.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { moveCommand } from './move.ts';
import { orphansCommand } from './orphans.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { userCommand } from './user.ts';

export const commandLineProgram = new Command('lightwell')
  .description(pkg.description)
  .version(pkg.version)
  .showHelpAfterError('(add --help for usage)')
  .addCommand(serveCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(moveCommand())
  .addCommand(userCommand())
  .addCommand(accessCommand())
  .addCommand(checkCommand())
  .addCommand(orphansCommand())
  .addCommand(adoptCommand())
  .addCommand(importCommand())
  .addCommand(exportCommand());
