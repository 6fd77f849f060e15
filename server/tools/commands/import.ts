/** `lightwell import`: a folder of photos into a user's gallery. Exit code 1 when a file was not imported. */
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { ImportSummary } from '../exchange/import/import.ts';
import { CommandError, jobCount, printable } from './failure.ts';
import { createProgress } from './progress.ts';
import { getUserByName, withDeps } from './run.ts';

interface ImportFlags {
  user: string;
  albumRoot?: string;
  private?: boolean;
  jobs: number;
  dryRun?: boolean;
}

export function importCommand(): Command {
  return new Command('import')
    .description('import a folder tree of photos, or an export; run again, it goes on where it was')
    .argument('<dir>')
    .requiredOption('--user <name>', 'whose photos they become')
    .option('--album-root <name>', 'the album that everything is put into; inner ones separated by /')
    .option('--private', 'only the owner and admins see the photos and albums')
    .option('--jobs <n>', 'photos at once', jobCount, availableParallelism())
    .option('--dry-run', 'look at every file and change nothing')
    .action((dir: string, flags: ImportFlags) => withDeps((deps) => runImport(deps, resolve(dir), flags)));
}

async function runImport(deps: Deps, root: string, flags: ImportFlags): Promise<void> {
  const user = await getUserByName(deps, flags.user);
  if (user.status !== UserStatus.enabled) throw new CommandError(`${user.username} is disabled`);
  const isFolder = await stat(root).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new CommandError(`${printable(root)} is not a folder that can be read`);
  // Loaded only here: the other commands look at no image.
  const { countFiles, importFolder } = await import('../exchange/import/import.ts');
  const progress = createProgress();
  progress.begin('photos', await countFiles(root));
  const isDryRun = flags.dryRun === true;
  const summary = await importFolder(
    deps,
    { id: user.id, isAdmin: false, sessionId: 0 },
    {
      root,
      above: (flags.albumRoot ?? '').split('/').filter((name) => name.trim() !== ''),
      isPrivate: flags.private === true,
      isDryRun,
      jobs: flags.jobs,
      onStep: () => progress.step(),
    },
  ).finally(progress.end);
  tell(summary, isDryRun);
  if (summary.problems.length > 0 || summary.stopped !== undefined) process.exitCode = 1;
}

function tell(
  { imported, present, albums, links, problems, stopped }: ImportSummary,
  isDryRun: boolean,
): void {
  for (const { path, reason } of problems) console.log(printable(`${path}: ${reason}`));
  const parts = [
    isDryRun ? `${imported} would be imported` : `${imported} imported into ${albums} new albums`,
    `${present} there already`,
    `${problems.length} not imported`,
    ...(links > 0 ? [`${links} links not followed`] : []),
  ];
  console.log(`${parts.join(', ')}.`);
  if (stopped !== undefined) console.log(`Ended early: ${stopped}. Run it again to go on.`);
}
