/**
 * Tests the end of `npm run bench`: bench/limits.ts alone, a short run of one part, and the exit code of the
 * command.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';

const bench = resolve(import.meta.dirname, '../../bench');

interface Ended {
  code: unknown;
  out: string;
  err: string;
}

function run(args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  return new Promise((done) => {
    execFile(process.execPath, args, { env: { ...process.env, ...environment } }, (error, out, err) =>
      done({ code: error?.code ?? 0, out, err }),
    );
  });
}

const limited = (lines: string) =>
  run([
    '--input-type=module',
    '--eval',
    `import { attempt, report, reportMissed, runAlone } from '${bench}/limits.ts'; ${lines}`,
  ]);

test('figures within their limits, and those without one, end a run well', async () => {
  const { code, out } = await limited(
    `report('list', 5.9, 'times bare', 6); report('start', 800, 'ms', 800); report('memory', 1e6, 'MB'); reportMissed();`,
  );
  assert.equal(code, 0);
  assert.deepEqual(out.split('\n'), [
    'list: 5.90 times bare (limit 6)',
    'start: 800 ms (limit 800)',
    'memory: 1000000 MB',
    '',
    'every figure is within its limit',
    '',
  ]);
});

test('a figure over its limit, or that is no number, is marked, told at the end, and ends it with 1', async () => {
  const { code, out } = await limited(
    `report('list', 6.01, 'times bare', 6); report('start', 5, 'ms', 800); report('ratio', 0 / 0, 'times', 2);
     await runAlone(async () => report('cpu', Infinity, 'ms', 50));`,
  );
  assert.equal(code, 1);
  assert.deepEqual(out.split('\n'), [
    'list: 6.01 times bare (limit 6)  OVER ITS LIMIT',
    'start: 5.00 ms (limit 800)',
    'ratio: NaN times (limit 2)  OVER ITS LIMIT',
    'cpu: Infinity ms (limit 50)  OVER ITS LIMIT',
    '',
    'over their limits, or not measured:',
    '  list: 6.01 times bare (limit 6)',
    '  ratio: NaN times (limit 2)',
    '  cpu: Infinity ms (limit 50)',
    '',
  ]);
});

test('a limit of time is held in the pace of the machine, and both are told', async () => {
  const { code, out } = await limited(
    `report('query', 310, 'ms', 200, 1.6); report('query', 321, 'ms', 200, 1.6); report('start', 801, 'ms', 800, 1);
     reportMissed();`,
  );
  assert.equal(code, 1);
  assert.deepEqual(out.split('\n').slice(0, 4), [
    'query: 310 ms (limit 200, 320 on a machine 1.6 times as slow)',
    'query: 321 ms (limit 200, 320 on a machine 1.6 times as slow)  OVER ITS LIMIT',
    'start: 801 ms (limit 800)  OVER ITS LIMIT',
    '',
  ]);
});

test('a part that breaks off is told at the end, and the others run', async () => {
  const { code, out, err } = await limited(
    `await attempt('lists', async () => { throw new Error('there is no disk'); });
     await attempt('sizes', async () => report('size', 1, 'times', 2)); reportMissed();`,
  );
  assert.equal(code, 1);
  assert.match(err, /Error: there is no disk/);
  assert.deepEqual(out.split('\n'), [
    'size: 1.00 times (limit 2)',
    '',
    'over their limits, or not measured:',
    '  lists: not measured: there is no disk',
    '',
  ]);
});

test('a short run of a part: hiding an album of 100 photos', async () => {
  const { code, out, err } = await run([resolve(bench, 'hide.ts'), 'sqlite'], { BENCH_PHOTOS: '500' });
  // A short run may exceed the limits by chance, because they are meant for a thousand times as many photos.
  assert.ok(code === 0 || code === 1, err);
  assert.match(out, /^every figure is within its limit$|^over their limits, or not measured:$/m, err);
  for (const what of ['hidden', 'shown']) {
    assert.match(
      out,
      new RegExp(`^SQLite, ${what}, answered after \\d+ ms: [\\d.]+ times the one transaction \\(limit`, 'm'),
    );
    assert.match(out, new RegExp(`^SQLite, ${what}, likes meanwhile, p99 \\d+ ms: [\\d.]+ times`, 'm'));
  }
});

test('a part that the bench does not have ends it before any is measured', async () => {
  const { code, out, err } = await run([resolve(bench, 'run.ts'), 'hiding', 'nothing']);
  assert.deepEqual([code, out], [2, '']);
  assert.match(err, /^there is no part nothing, only start, lists, .*hiding/);
});
