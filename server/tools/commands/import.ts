/**
 * The command `lightwell import` imports a folder or a ZIP of photos for a user. Exit code 1 means that a file was not
 * imported.
 */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import { addFinalPeriod } from '../../platform/errors/catalogue.ts';
import { getErrorCode } from '../../platform/errors/storage.ts';
import type { ImportSummary } from '../exchange/import/import.ts';
import { type ImportSource, NotAnArchive } from '../exchange/import/source.ts';
import { CommandError, escapeForTerminal, parseJobCount } from './failure.ts';
import { createProgressLine } from './progress.ts';
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
    .description(
      'import a folder of photos, a ZIP of photos, or an export; a repeated run continues where it ' +
        'stopped',
    )
    .argument('<path>', 'the folder or ZIP to import')
    .requiredOption('--user <name>', 'owner of the imported photos')
    .option('--album-root <name>', 'import everything into this album; separate nested albums with /')
    .option('--private', 'make the photos and albums private')
    .option(
      '--jobs <n>',
      'number of photos to import at the same time',
      parseJobCount,
      availableParallelism(),
    )
    .option('--dry-run', 'read every file, but change nothing')
    .action((path: string, flags: ImportFlags) => withDeps((deps) => runImport(deps, resolve(path), flags)));
}

async function runImport(deps: Deps, path: string, flags: ImportFlags): Promise<void> {
  const user = await getUserByName(deps, flags.user);
  if (user.status !== UserStatus.enabled)
    throw new CommandError(`${user.username} is disabled; choose another user, or enable this one`);
  const source = await openAt(deps, path);
  try {
    await importFrom(deps, user.id, source, flags);
  } finally {
    source.close();
  }
}

async function openAt(deps: Deps, path: string): Promise<ImportSource> {
  // The module is imported only here, because other commands do not need imaging.
  const { openImportSource } = await import('../exchange/import/open.ts');
  return openImportSource(deps, path).catch((error: unknown) => {
    if (error instanceof NotAnArchive) throw new CommandError(`${escapeForTerminal(path)}: ${error.message}`);
    if (getErrorCode(error) === undefined) throw error;
    throw new CommandError(`${escapeForTerminal(path)} is not a readable folder or ZIP`);
  });
}

async function importFrom(
  deps: Deps,
  userId: number,
  source: ImportSource,
  flags: ImportFlags,
): Promise<void> {
  const { countImportFiles, importAllFiles } = await import('../exchange/import/import.ts');
  const progress = createProgressLine();
  progress.begin('photos', await countImportFiles(source));
  const isDryRun = flags.dryRun === true;
  const summary = await importAllFiles(
    deps,
    { id: userId, isAdmin: false, sessionId: 0 },
    {
      source,
      above: (flags.albumRoot ?? '').split('/').filter((name) => name.trim() !== ''),
      isPrivate: flags.private === true,
      isDryRun,
      jobs: flags.jobs,
      onStep: () => progress.step(),
    },
  ).finally(progress.end);
  printSummary(summary, isDryRun);
  if (summary.problems.length > 0 || summary.stopped !== undefined) process.exitCode = 1;
}

function printSummary(
  { imported, present, albums, links, problems, stopped }: ImportSummary,
  isDryRun: boolean,
): void {
  for (const { path, reason } of problems) console.log(escapeForTerminal(`${path}: ${reason}`));
  const parts = [
    isDryRun ? `${imported} would be imported` : `${imported} imported into ${albums} new albums`,
    `${present} already present`,
    `${problems.length} not imported`,
    ...(links > 0 ? [`${links} links not followed`] : []),
  ];
  console.log(`${parts.join(', ')}.`);
  if (stopped !== undefined)
    console.log(`Stopped early: ${addFinalPeriod(stopped)} Run the import again to continue.`);
}
