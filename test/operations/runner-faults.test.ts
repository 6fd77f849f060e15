/**
 * The runner fails a test file for each kind of fault and names the test. The test creates the faulty files.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Outcome } from '../runner/outcome.ts';
import { type PoolOptions, runJobs } from '../runner/pool.ts';
import { createReport } from '../runner/report.ts';
import { eventually } from '../support/gallery-counts.ts';

const folder = mkdtempSync(join(tmpdir(), 'lightwell-runner-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const limits = { fileMs: 10_000, testMs: 2000, killMs: 300 };
const setting = { environmentOf: () => ({}), grep: undefined, limits };

let planted = 0;

/** Code that blocks its thread like an endless loop, but without using CPU, for at most a minute. */
const blocks = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);';

async function run(lines: string[], options: Partial<PoolOptions> = {}): Promise<Outcome | undefined> {
  const file = join(folder, `planted-${++planted}.test.ts`);
  writeFileSync(file, ["import { describe, test } from 'node:test';", ...lines].join('\n'));
  let found: Outcome | undefined;
  const onEnd: PoolOptions['onEnd'] = (_, outcome) => {
    found = outcome;
  };
  await runJobs([{ file, home: 'sqlite', tier: 'fast', isAlone: false }], { ...setting, onEnd, ...options });
  return found;
}

async function assertFails(lines: string[], ...reasons: RegExp[]): Promise<void> {
  const { failed, failures } = (await run(lines))!;
  assert.equal(failed, reasons.length, failures.join('\n'));
  for (const [index, reason] of reasons.entries()) assert.match(failures[index]!, reason);
}

describe('a planted file fails', { concurrency: 4 }, () => {
  test('is named by its test for an assertion', () =>
    assertFails(["test('adds', () => { throw new Error('not three'); });"], /^adds\n +not three$/));

  test('is reported for an error at its top, before and after its first test', async () => {
    await assertFails(["throw new Error('at the top');"], /at the top/);
    const late = ["test('one', () => {});", "throw new Error('at the top');", "test('two', () => {});"];
    await assertFails(late, /^an error outside of the tests.*\n.*at the top\n.*planted-\d+\.test\.ts:3/);
  });

  test('is reported for a syntax error', () => assertFails(['const a = ;'], /Expression expected/));

  test('is named by its test for a rejection that it does not await', () =>
    assertFails(
      [
        "test('leaves a promise', async () => {",
        "  Promise.reject(new Error('stray'));",
        '  await new Promise((resolve) => setTimeout(resolve, 50));',
        '});',
      ],
      /^leaves a promise\n +stray$/,
    ));

  test('is reported for an exit code that it sets', () =>
    assertFails(["test('sets it', () => { process.exitCode = 3; });"], /process\.exitCode to 3/));

  test('names the test during which its process ended, and what failed before', () =>
    assertFails(
      [
        "test('fails', () => { throw new Error('first'); });",
        "describe('a suite', () => { test('exits', () => process.exit(0)); });",
      ],
      /^fails\n +first/,
      /ended with 0 during "a suite > exits"/,
    ));

  test('names a test that hangs, though it leaves a timer', () =>
    assertFails(
      [
        "test('hangs', async () => { setInterval(() => {}, 1000); await new Promise(() => {}); });",
        "test('passes', () => {});",
      ],
      /^hangs\n +test timed out after 2000ms/,
      /within 10 s and was stopped after "passes": a timer, a server or a connection is left/,
    ));

  test('is reported for a test that never yields', () =>
    assertFails([`test('blocks', () => { ${blocks} });`], /within 10 s and was stopped during "blocks"/));
});

test('an interruption ends a test that never yields, and names it', async () => {
  const interruption = new AbortController();
  const places: string[] = [];
  const mark = join(folder, 'begun');
  const lines = [
    "import { writeFileSync } from 'node:fs';",
    `test('blocks', () => { writeFileSync('${mark}', ''); ${blocks} });`,
  ];
  const running = run(lines, {
    signal: interruption.signal,
    onInterrupt: (_, where) => places.push(where),
  });
  await eventually(async () => assert.ok(existsSync(mark)));
  interruption.abort();
  assert.equal(await running, undefined);
  assert.deepEqual(places, ['during "blocks"']);
});

test('a skipped suite is counted, with its reason', async () => {
  const lines = ["describe('a suite', { skip: 'no browser' }, () => { test('opens it', () => {}); });"];
  const { skipped, skipReasons, failed } = (await run(lines))!;
  assert.deepEqual({ skipped, skipReasons, failed }, { skipped: 1, skipReasons: ['no browser'], failed: 0 });
});

test('a run of no test fails', (context) => {
  const log = context.mock.method(console, 'log', () => {});
  assert.equal(createReport(1, 'no such name').finish(), false);
  assert.match(String(log.mock.calls[0]!.arguments), /no test has "no such name" in its name/);
});
