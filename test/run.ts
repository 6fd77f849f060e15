/**
 * Runs the tests: several files in one process, several processes side by side, on SQLite and a folder and on a real
 * PostgreSQL with a real S3. test/runner/tiers.ts says which file runs when, and on which database.
 *
 *   npm test                         the tests of each change
 *   npm run test:all                 the rest
 *   npm test -- likes                every test file with "likes" in its path
 *   npm test -- --changed            the tests that depend on files that differ from HEAD
 *   npm test -- --since main         the tests that depend on files that differ from main
 *   npm test -- --grep "two edits"   only tests with such a name
 *   npm test -- --database sqlite    only on this database
 *   npm test -- --seed 7             other random choices
 *   npm test -- --retry              runs failed files once more, and reports those that pass then as flaky
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changedFiles, jobsForChanges } from './runner/changed.ts';
import {
  type HomeName,
  homes,
  type Job,
  jobsFor,
  staleEntries,
  type Tier,
  tierNames,
} from './runner/jobs.ts';
import { runJobs } from './runner/pool.ts';
import { createReport } from './runner/report.ts';
import { startServers } from './runner/servers.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: 'string' },
    changed: { type: 'boolean', default: false },
    since: { type: 'string' },
    grep: { type: 'string' },
    database: { type: 'string' },
    seed: { type: 'string', default: '1' },
    retry: { type: 'boolean', default: false },
  },
});

const maxStopMs = 15_000;

process.chdir(resolve(import.meta.dirname, '..'));
let hasServers = false;
let signalCode: number | undefined;
const interruption = new AbortController();
process.on('SIGINT', () => interrupt(130));
process.on('SIGTERM', () => interrupt(143));
process.on('SIGHUP', () => interrupt(129));

const stale = staleEntries();
if (stale.length > 0) refuse(`No test file is named by these entries of test/runner/tiers.ts: ${stale}`);
const { tier = positionals.length > 0 ? undefined : 'fast' } = options;
if (tier !== undefined && !tierNames.includes(tier as Tier)) refuse(`--tier takes ${tierNames.join(', ')}`);
if (!/^\d+$/.test(options.seed)) refuse('--seed takes a whole number');

const jobs = select();
if (jobs.length === 0) {
  console.log('No test file is selected.');
  process.exit(positionals.length > 0 ? 1 : 0);
}
console.log(`${jobs.length} jobs, seed ${options.seed}`);
const report = createReport(jobs.length, options.grep);
const servers = await startServers(jobs);
hasServers = true;
if (servers.trouble) report.miss('PostgreSQL could not be started: nothing ran on it', servers.trouble);
const runnable = (job: Job) => job.home !== 'postgres' || servers.trouble === undefined;
const setting = {
  environmentOf: (home: HomeName) => ({
    ...homes[home].environment,
    ...servers.environment,
    TEST_SEED: options.seed,
  }),
  grep: options.grep,
  signal: interruption.signal,
  onInterrupt: report.interrupt,
};
await runJobs(jobs.filter(runnable), { ...setting, onEnd: report.add });
if (options.retry) await runJobs(report.failedJobs(), { ...setting, lanes: 1, onEnd: report.repeat });
await servers.stop();
const isPassed = report.finish();
process.exit(signalCode ?? (isPassed ? 0 : 1));

/** Stops the files that run, so that the report names their tests. Without servers nothing runs yet. */
function interrupt(code: number): void {
  signalCode = code;
  // Only an exit of its own emits 'exit', which ends the servers that were started.
  if (!hasServers) process.exit(code);
  interruption.abort();
  setTimeout(() => process.exit(code), maxStopMs).unref();
}

function select(): Job[] {
  const selection = { tier: tier as Tier | undefined, parts: positionals, database: options.database };
  if (!options.changed && options.since === undefined) return jobsFor(selection);
  return jobsForChanges(changedFiles(options.since ?? 'HEAD'), selection);
}

function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}
