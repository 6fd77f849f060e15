/**
 * The command `lightwell import` imports folders or ZIPs of photos for a user. Exit code 1 means that a file was not
 * imported.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import { addFinalPeriod } from '../../platform/errors/catalogue.ts';
import { getErrorCode } from '../../platform/errors/storage.ts';
import type { ImportSummary } from '../exchange/import/import.ts';
import { type ImportSources, NotAnArchive } from '../exchange/import/source.ts';
import { formatReceipt, type Receipt } from '../exchange/plan/receipt.ts';
import { CommandError, escapeForTerminal, parseJobCount } from './failure.ts';
import { createProgressLine } from './progress.ts';
import { getUserByName, withDeps } from './run.ts';

interface ImportFlags {
  user: string;
  albumRoot?: string;
  private?: boolean;
  public?: boolean;
  jobs: number;
  dryRun?: boolean;
  receipt?: string;
}

export function importCommand(): Command {
  return new Command('import')
    .description(
      'import folders or ZIPs of photos, an archive of Google Takeout, or an export; a repeated run continues ' +
        'where it stopped',
    )
    .argument('<paths...>', 'the folders and ZIPs to import, which together form one tree')
    .requiredOption('--user <name>', 'owner of the imported photos')
    .option('--album-root <name>', 'import everything into this album; separate nested albums with /')
    .option('--public', 'make photos and albums of other programs public; otherwise they are private')
    .option('--private', 'make all photos and albums private, also those of an export')
    .option(
      '--jobs <n>',
      'number of photos to import at the same time',
      parseJobCount,
      availableParallelism(),
    )
    .option('--receipt <file>', 'write what became of each file to this CSV file')
    .option('--dry-run', 'read every file, but change nothing')
    .action((paths: string[], flags: ImportFlags) =>
      withDeps((deps) =>
        runImport(
          deps,
          paths.map((path) => resolve(path)),
          flags,
        ),
      ),
    );
}

async function runImport(deps: Deps, paths: string[], flags: ImportFlags): Promise<void> {
  const user = await getUserByName(deps, flags.user);
  if (user.status !== UserStatus.enabled)
    throw new CommandError(`${user.username} is disabled; choose another user, or enable this one`);
  const sources = await openAll(deps, paths);
  try {
    await importFrom(deps, user.id, sources, { ...flags, paths });
  } finally {
    await sources.close();
  }
}

async function openAll(deps: Deps, paths: string[]): Promise<ImportSources> {
  // The module is imported only here, because other commands do not need imaging.
  const { openImportSources } = await import('../exchange/import/open.ts');
  return openImportSources(deps, paths).catch((error: unknown) => {
    if (error instanceof NotAnArchive) throw new CommandError(escapeForTerminal(error.message));
    if (getErrorCode(error) === undefined) throw error;
    const { path = paths[0]! } = error as NodeJS.ErrnoException;
    throw new CommandError(`${escapeForTerminal(path)} is not a readable folder or ZIP`);
  });
}

async function importFrom(
  deps: Deps,
  userId: number,
  sources: ImportSources,
  flags: ImportFlags & { paths: string[] },
): Promise<void> {
  const { importAllFiles, leftReason, planSources } = await import('../exchange/import/import.ts');
  const above = (flags.albumRoot ?? '').split('/').filter((name) => name.trim() !== '');
  const plan = await planSources(sources, above);
  const progress = createProgressLine();
  progress.begin('photos', plan.photos.length);
  const isDryRun = flags.dryRun === true;
  const summary = await importAllFiles(
    deps,
    { id: userId, isAdmin: false, sessionId: 0 },
    {
      plan,
      sources,
      above,
      isPrivate: flags.private === true,
      isPublic: flags.public === true,
      isDryRun,
      jobs: flags.jobs,
      onStep: () => progress.step(),
    },
  ).finally(progress.end);
  printSummary(summary, { isDryRun, leftReason });
  if (flags.receipt !== undefined) await writeReceipt(flags.receipt, summary.receipt, flags.paths);
  const { refused } = summary.receipt.count();
  if (refused > 0 || summary.problems.length > 0 || summary.stopped !== undefined) process.exitCode = 1;
}

/** Maximum number of files that the terminal names for one reason. The receipt names all. */
const maxNamed = 20;

function printSummary(
  { receipt, albums, problems, stopped }: ImportSummary,
  { isDryRun, leftReason }: { isDryRun: boolean; leftReason: string },
): void {
  printRefused(receipt);
  for (const { path, reason } of problems) console.log(escapeForTerminal(`${path}: ${reason}`));
  const { imported, duplicate, sidecar, album, ignored, refused } = receipt.count();
  const parts = [
    isDryRun ? `${imported} would be imported` : `${imported} imported into ${albums} new albums`,
    `${duplicate} already present`,
    `${refused} not imported`,
  ];
  console.log(`${parts.join(', ')}.`);
  if (sidecar + album + ignored > 0) console.log(`${sidecar + album} sidecars, ${ignored} ignored.`);
  for (const { outcome, reason, count } of receipt.countReasons()) {
    if (outcome === 'ignored') console.log(escapeForTerminal(`Ignored: ${count} (${reason})`));
    if (reason === leftReason) console.log(`Already present: ${count} (${reason})`);
  }
  if (stopped !== undefined)
    console.log(`Stopped early: ${addFinalPeriod(stopped)} Run the import again to continue.`);
}

/** Prints the files that were not imported completely, and counts those of a reason that has many. */
function printRefused(receipt: Receipt): void {
  const counts = new Map<string, number>();
  for (const { file, outcome, reason } of receipt.lines()) {
    if (outcome !== 'refused' && !(outcome === 'imported' && reason !== '')) continue;
    const count = (counts.get(reason) ?? 0) + 1;
    counts.set(reason, count);
    if (count <= maxNamed) console.log(escapeForTerminal(`${file.path}: ${reason}`));
  }
  for (const [reason, count] of counts) {
    if (count > maxNamed) console.log(escapeForTerminal(`${count - maxNamed} more files: ${reason}`));
  }
}

async function writeReceipt(path: string, receipt: Receipt, sources: string[]): Promise<void> {
  const stream = createWriteStream(path, { mode: 0o600 });
  try {
    await once(stream, 'open');
    for (const line of formatReceipt(receipt, sources)) if (!stream.write(line)) await once(stream, 'drain');
    stream.end();
    await once(stream, 'finish');
  } catch (error) {
    throw new CommandError(`The receipt could not be written to ${path} (${getErrorCode(error) ?? error})`);
  }
}
