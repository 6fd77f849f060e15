/**
 * Runs the tests: several files in one process, and several processes in parallel. One run uses SQLite with a folder,
 * another a real PostgreSQL with a real S3. test/runner/tiers.ts lists which file runs when, and on which database.
 *
 * - `npm test` runs the tests of each change.
 * - `npm run test:all` runs the other tests.
 * - `npm test -- likes` runs every test file with "likes" in its path.
 * - `npm test -- --changed` runs the tests that depend on files that differ from HEAD.
 * - `npm test -- --since main` runs the tests that depend on files that differ from main.
 * - `npm test -- --grep "two edits"` runs only tests with this text in their name.
 * - `npm test -- --database sqlite` runs the tests only on this database.
 * - `npm test -- --seed 7` makes other random choices.
 * - `npm test -- --retry` runs failed files once more, and reports files that pass then as flaky.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changedFiles, isCommit, jobsForChanges } from './runner/changed.ts';
import {
  type DatabaseSetupName,
  databaseSetups,
  type Job,
  jobsFor,
  staleEntries,
  type Tier,
  tierNames,
  unknownParts,
} from './runner/jobs.ts';
import { runJobs } from './runner/pool.ts';
import { createReport } from './runner/report.ts';
import { startServers } from './runner/servers.ts';

const maxStopMs = 15_000;

process.chdir(resolve(import.meta.dirname, '..'));
let hasServers = false;
let signalCode: number | undefined;
const interruption = new AbortController();
process.on('SIGINT', () => interrupt(130));
process.on('SIGTERM', () => interrupt(143));
process.on('SIGHUP', () => interrupt(129));

const { values: options, positionals } = readArguments();
const { tier = positionals.length > 0 ? undefined : 'fast', database, seed, grep, retry } = options;
const changedSince = options.since ?? (options.changed ? 'HEAD' : undefined);
const stale = staleEntries();
const unknown = unknownParts(positionals);
if (stale.length > 0) refuse(`No test file is named by these entries of test/runner/tiers.ts: ${stale}`);
if (tier !== undefined && !tierNames.includes(tier as Tier)) refuse(`--tier takes ${tierNames.join(', ')}`);
if (database !== undefined && !Object.hasOwn(databaseSetups, database))
  refuse(`--database takes ${Object.keys(databaseSetups).join(', ')}`);
if (!/^\d+$/.test(seed)) refuse('--seed takes a whole number');
if (unknown.length > 0) refuse(`No test file has this in its path: ${unknown.join(', ')}`);
if (changedSince !== undefined && !isCommit(changedSince)) refuse(`git knows no commit "${changedSince}"`);

const jobs = select();
if (jobs.length === 0 && changedSince !== undefined) {
  console.log(`No test is selected by what differs from ${changedSince}.`);
  process.exit(0);
}
if (jobs.length === 0) refuse(`No such test file runs ${limitsInWords()}.`);
console.log(`${jobs.length} jobs, seed ${seed}`);
const report = createReport(jobs.length, grep);
const servers = await startServers(jobs);
hasServers = true;
if (servers.trouble) report.miss('PostgreSQL could not be started: nothing ran on it', servers.trouble);
const runnable = (job: Job) => job.home !== 'postgres' || servers.trouble === undefined;
const setting = {
  environmentOf: (home: DatabaseSetupName) => ({
    ...databaseSetups[home].environment,
    ...servers.environment,
    TEST_SEED: seed,
  }),
  grep,
  signal: interruption.signal,
  onInterrupt: report.interrupt,
};
await runJobs(jobs.filter(runnable), { ...setting, onEnd: report.add });
if (retry) await runJobs(report.failedJobs(), { ...setting, lanes: 1, onEnd: report.repeat });
await servers.stop();
const isPassed = report.finish();
process.exit(signalCode ?? (isPassed ? 0 : 1));

function readArguments() {
  const known = {
    tier: { type: 'string' },
    changed: { type: 'boolean', default: false },
    since: { type: 'string' },
    grep: { type: 'string' },
    database: { type: 'string' },
    seed: { type: 'string', default: '1' },
    retry: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ allowPositionals: true, options: known });
  } catch (error) {
    const [reason] = (error as Error).message.split('. ');
    const names = Object.keys(known).map((name) => `--${name}`);
    return refuse(`${reason}. Options: ${names.join(', ')}`);
  }
}

/**
 * Stops the running test files, so that the report names their tests. Before the servers have started, exits
 * at once.
 */
function interrupt(code: number): void {
  signalCode = code;
  // Only `process.exit()` emits 'exit', and its handlers stop the servers that were started.
  if (!hasServers) process.exit(code);
  interruption.abort();
  setTimeout(() => process.exit(code), maxStopMs).unref();
}

function select(): Job[] {
  const selection = { tier: tier as Tier | undefined, parts: positionals, database };
  return changedSince === undefined
    ? jobsFor(selection)
    : jobsForChanges(changedFiles(changedSince), selection);
}

function limitsInWords(): string {
  const limits = [tier && `in the tier ${tier}`, database && `on ${database}`].filter(Boolean).join(' ');
  return positionals.length > 0 ? `${limits}; npm test -- ${positionals.join(' ')} runs them all` : limits;
}

function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}
