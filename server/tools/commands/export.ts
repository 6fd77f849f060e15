/**
 * The command `lightwell export` writes the data of one user or of all users to files. Exit code 1 means that an
 * original is lost.
 */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import type { Deps } from '../../deps.ts';
import { CommandError, escapeForTerminal, parseJobCount } from './failure.ts';
import { createProgressLine } from './progress.ts';
import { findAllUsers, getUserByName, withDeps } from './run.ts';

interface ExportFlags {
  user?: string;
  jobs: number;
}

export function exportCommand(): Command {
  return new Command('export')
    .description('write originals and albums with their metadata into a folder that import can read')
    .argument('<dir>')
    .option('--user <name>', 'export only this user; otherwise each user gets a folder in <dir>')
    .option(
      '--jobs <n>',
      'number of photos to export at the same time',
      parseJobCount,
      availableParallelism(),
    )
    .action((dir: string, flags: ExportFlags) => withDeps((deps) => runExport(deps, resolve(dir), flags)));
}

async function runExport(deps: Deps, dir: string, { user, jobs }: ExportFlags): Promise<void> {
  const { exportUser } = await import('../exchange/export/export.ts');
  const { countUserPhotos } = await import('../exchange/export/rows.ts');
  const { findExportOwner } = await import('../exchange/export/export.ts');
  const users = user ? [await getUserByName(deps, user)] : await findAllUsers(deps.db);
  for (const one of users) {
    const root = user ? dir : join(dir, one.username);
    const owner = await findExportOwner(root);
    if (owner !== undefined && owner !== one.username) {
      throw new CommandError(`${root} already holds the export of ${owner}; choose another folder`);
    }
    const progress = createProgressLine();
    progress.begin(`photos of ${one.username}`, await countUserPhotos(deps, one.id));
    const onStep = () => progress.step();
    const { photos, albums, problems } = await exportUser(deps, one, { root, jobs, onStep }).finally(
      progress.end,
    );
    for (const { path, reason } of problems) console.log(escapeForTerminal(`${join(root, path)}: ${reason}`));
    console.log(`${one.username}: ${photos} photos in ${albums} albums, ${problems.length} not exported.`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
