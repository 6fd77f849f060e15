/** Tests the command `npm run torture`: the parts it runs, the table it prints, and its exit code. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, resolve } from 'node:path';
import { test } from 'node:test';
import { atLeast, atMost, createInfoFigure, none, type Part, untried } from '../../torture/part.ts';
import { countFailures, listUntried, type RunOptions, runParts } from '../../torture/run-parts.ts';
import { formatTable } from '../../torture/table.ts';

const part: Part = { name: 'one', about: 'tells figures', share: 1, homes: ['sqlite'], run: async () => [] };
const options: RunOptions = { minutes: 1, seed: 7, tell: () => {} };

test('each part gets its share of the time, a home of its own, and the seed', async () => {
  const seen: { milliseconds: number; dataDir: string; seed: number }[] = [];
  const run: Part['run'] = async ({ milliseconds, home: { dataDir }, seed }) => {
    assert.ok(existsSync(dataDir));
    seen.push({ milliseconds, dataDir, seed });
    return [none('lost', 0)];
  };
  const results = await runParts(
    [
      { ...part, run },
      { ...part, name: 'two', share: 3, run },
    ],
    options,
  );
  assert.deepEqual(
    seen.map(({ milliseconds, seed }) => [milliseconds, seed]),
    [
      [15_000, 7],
      [45_000, 7],
    ],
  );
  assert.notEqual(seen[0]!.dataDir, seen[1]!.dataDir);
  for (const { dataDir } of seen) assert.ok(!existsSync(dataDir), 'the home is removed');
  assert.equal(countFailures(results), 0);
  const lines: string[] = [];
  const collectLine = (line: string) => lines.push(line);
  assert.deepEqual(await runParts([part], { ...options, database: 'postgres', tell: collectLine }), []);
  assert.deepEqual(lines, []);
});

test('a figure that is not held, and a part that breaks off, fail the run and stand in its table', async () => {
  const figures = [
    none('lost', ['photo 3 | gone', 'photo 4', 'photo 5', 'photo 6']),
    atLeast('kills', 199, 200),
    atMost('memory', 1.5, 2, 'GB'),
    untried('power cuts', 'there is no root'),
    createInfoFigure('seed', 7),
  ];
  const broken: Part = {
    ...part,
    name: 'broken',
    run: async () => {
      throw new Error('there is no disk');
    },
  };
  const results = await runParts([{ ...part, run: async () => figures }, broken], options);
  assert.equal(countFailures(results), 3);
  assert.deepEqual(listUntried(results), [
    'one on SQLite and a folder: power cuts, not tried: there is no root',
  ]);
  assert.deepEqual(formatTable(results).split('\n'), [
    '| part | on | figure | value | must be | held |',
    '| --- | --- | --- | --- | --- | --- |',
    '| one (0 s) | SQLite and a folder | lost | 4: photo 3 \\| gone; photo 4; photo 5 | 0 | **NO** |',
    '|  |  | kills | 199 | at least 200 | **NO** |',
    '|  |  | memory | 1.50 GB | at most 2 GB | yes |',
    '|  |  | power cuts | not tried: there is no root |  | ? |',
    '|  |  | seed | 7 |  |  |',
    '| broken (0 s) | SQLite and a folder | parts that broke off | 1: there is no disk | 0 | **NO** |',
  ]);
});

test('a home that cannot be made fails its part, and the others run', async (context) => {
  const before = process.env.TMPDIR;
  context.after(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  const breaks: Part = {
    ...part,
    run: async ({ home }) => {
      process.env.TMPDIR = `${home.dataDir}/nowhere`;
      return [createInfoFigure('seed', 7)];
    },
  };
  const results = await runParts(
    [breaks, { ...part, name: 'two', run: async () => [none('lost', 0)] }],
    options,
  );
  assert.deepEqual(
    results.map(({ part, figures }) => [part.name, figures.map(({ name, isHeld }) => [name, isHeld])]),
    [
      ['one', [['seed', true]]],
      ['two', [['parts that broke off', false]]],
    ],
  );
});

test('an unknown part and a time that is none end the command with 1', async () => {
  const script = resolve(import.meta.dirname, '../../torture/run.ts');
  // Reuses compiled code, because the command loads all parts, and other tests have compiled most of them.
  const compiled = getCompileCacheDir();
  const env = { ...process.env, ...(compiled && { NODE_COMPILE_CACHE: dirname(compiled) }) };
  const refused = async (args: string[], message: RegExp) => {
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((done) => {
      execFile(process.execPath, [script, ...args], { env }, (error, _, stderr) =>
        done({ code: error?.code, stderr }),
      );
    });
    assert.equal(code, 1);
    assert.match(stderr, message);
  };
  await Promise.all([
    refused(['nothing'], /there is no part nothing/),
    refused(['--minutes', '0'], /not a number above 0/),
  ]);
});
