/**
 * `npm test`: what needs no database server, the whole API suite twice, on SQLite with a folder and on a real
 * PostgreSQL with a real S3, and galleries of several processes; side by side, several files in one process.
 *
 *   npm test -- likes                only test files with "likes" in their path
 *   npm test -- --grep "two edits"   only tests with such a name
 *   npm test -- --database sqlite    the API suite on one database
 *   npm test -- --slowest            and at the end, which files took longest (of several folders they are told anyway)
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type HomeName, homes, type Job, jobsFor } from './runner/jobs.ts';
import { runJobs } from './runner/pool.ts';
import { createReport } from './runner/report.ts';
import { startServers } from './runner/servers.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string' },
    database: { type: 'string' },
    slowest: { type: 'boolean' },
  },
});

process.chdir(resolve(import.meta.dirname, '..'));
// So that a database that was started is also stopped: 'exit' is not emitted for a signal without a listener.
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const jobs = jobsFor(positionals, options.database);
if (jobs.length === 0) {
  console.error(`No test file has ${positionals.join(' or ')} in its path.`);
  process.exit(1);
}
const report = createReport(jobs.length);
const servers = await startServers(jobs.some(({ home }) => home === 'postgres'));
if (servers.trouble) report.miss('PostgreSQL could not be started: nothing ran on it', servers.trouble);
const runnable = (job: Job) => job.home !== 'postgres' || servers.trouble === undefined;
const setting = {
  environmentOf: (home: HomeName) => ({ ...homes[home].environment, ...servers.environment }),
  grep: options.grep,
};
await runJobs(jobs.filter(runnable), { ...setting, onEnd: report.add });
// A shared machine may stand still for seconds: what fails beside other tests may be right, and is told apart.
await runJobs(report.doubtful(), { ...setting, lanes: 1, onEnd: report.repeat });
await servers.stop();
process.exit(report.finish({ slowest: options.slowest === true }) ? 0 : 1);
