/**
 * `npm test`: first what needs no database server, then the whole API suite twice, on SQLite with a folder and on a
 * real PostgreSQL with a real S3, and at last galleries of several processes.
 *
 *   npm test -- likes                only test files with "likes" in their path
 *   npm test -- --grep "two edits"   only tests with such a name
 *   npm test -- --database sqlite    the API suite on one database
 */
import { globSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { type Postgres, startPostgres } from './postgres.ts';
import { startS3 } from './s3.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, database: { type: 'string' } },
});

process.chdir(resolve(import.meta.dirname, '..'));
// So that a database that was started is also stopped: 'exit' is not emitted for a signal that nobody hears.
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const filesAtOnce = 2;
const fileTimeoutMs = 600_000;

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

const total: Tally = { passed: 0, failed: 0, skipped: 0 };
/** Repeated at the end: three runs print a lot. */
const failures: string[] = [];
const files = globSync('test/**/*.test.ts').filter(isWanted).sort();
/** What runs on both databases. */
const apiFiles = [...filesIn('test/api'), ...filesIn('test/move')];
const clusterFiles = filesIn('test/cluster');
const otherFiles = files.filter((file) => !apiFiles.includes(file) && !clusterFiles.includes(file));

if (files.length === 0) {
  console.error(`No test file has ${positionals.join(' or ')} in its path.`);
  process.exit(1);
}
const s3 = await startS3();
process.env.TEST_S3_URL = s3.url;
await runFiles('without a database server', otherFiles, {});
if (isDatabase('sqlite')) {
  await runFiles('the API on SQLite and a folder', apiFiles, { TEST_DATABASE: 'sqlite' });
}
if (isDatabase('postgres') && apiFiles.length + clusterFiles.length > 0) await runOnPostgres();
await s3.stop();

if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 ? 1 : 0);

function filesIn(folder: string): string[] {
  return files.filter((file) => !relative(folder, file).startsWith('..'));
}

function isWanted(file: string): boolean {
  return positionals.length === 0 || positionals.some((part) => file.includes(part.replace(/^\.\//, '')));
}

function isDatabase(name: 'sqlite' | 'postgres'): boolean {
  return options.database === undefined || options.database === name;
}

async function runOnPostgres(): Promise<void> {
  const postgres = await startPostgres().catch(complain);
  if (!postgres) return;
  const environment = { TEST_DATABASE: 'postgres', TEST_POSTGRES_URL: postgres.url, TEST_STORAGE: 's3' };
  await runFiles('the API on PostgreSQL and S3', apiFiles, environment);
  await runFiles('several processes', clusterFiles, environment, 1);
  await postgres.stop();
}

/** A half-run suite must not look like a whole one. */
function complain(error: unknown): Postgres | undefined {
  console.error('\nPostgreSQL COULD NOT BE STARTED; the API suite did not run on it.');
  console.error(error);
  failures.push('  the API on PostgreSQL: it could not be started');
  total.failed++;
  return undefined;
}

async function runFiles(
  title: string,
  files: string[],
  environment: Record<string, string>,
  concurrency = filesAtOnce,
): Promise<void> {
  if (files.length === 0) return;
  console.log(`\n──── ${title} (${files.length} files) ────\n`);
  // The runner's child processes inherit this environment.
  Object.assign(process.env, environment);
  const stream = run({ files, concurrency, timeout: fileTimeoutMs, testNamePatterns: options.grep });
  stream.on('test:summary', ({ file, counts }) => {
    // One of each file, and one of them all, which names none.
    if (file !== undefined) return;
    total.passed += counts.passed;
    total.skipped += counts.skipped + counts.todo;
    total.failed += counts.tests - counts.passed - counts.skipped - counts.todo;
  });
  stream.on('test:fail', ({ name, file, details }) => {
    if (isOwnFailure(details.error)) failures.push(`  ${title}: ${relative('.', file ?? '')}: ${name}`);
  });
  for await (const text of stream.compose(spec)) process.stdout.write(text);
}

/** A suite or a file whose tests failed is not a failure of its own. */
function isOwnFailure(error: Error): boolean {
  return (error as Error & { failureType?: string }).failureType !== 'subtestsFailed';
}
