/** Tests the tools of the torture part `images`: the files it sends, the files it keeps, and its verdicts. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { honestFigures } from '../../torture/images/bystander-figures.ts';
import { commandsIn, listProcessTree } from '../../torture/images/commands.ts';
import { findEndings } from '../../torture/images/endings.ts';
import { mutants } from '../../torture/images/mutants.ts';
import { saveFiles } from '../../torture/images/save-files.ts';
import { readSeeds } from '../../torture/images/seeds.ts';
import { createTally } from '../../torture/images/tally.ts';
import { use } from '../../torture/images/use-gallery.ts';
import { eventually, listTemporaryFiles } from '../support/gallery-counts.ts';
import { createMemoryGroup, skipReason } from '../support/memory-group.ts';
import { createPerson } from '../support/people.ts';
import { createRandom } from '../support/random.ts';

test('the files that a server died of are kept, with what was done to them', async (context) => {
  // A server that disconnects after its third file, before it responds.
  let taken = 0;
  const server = createServer((request) => {
    request.resume().on('end', () => {
      if (++taken === 3) server.closeAllConnections();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  const place = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const owner = createPerson(place, 'mallory', 'token', 1);
  const tally = createTally();
  const seed = 4711;
  const random = createRandom(seed);
  const pictures = ['one', 'two', 'three'].map((what) => ({
    what,
    bytes: Buffer.from(`the bytes of ${what}`),
    kind: 'jpeg',
  }));
  await Promise.all(pictures.map((picture) => use({ server: place, owner, tally, random }, picture)));
  assert.equal(tally.crashes.length, 3);
  assert.equal(tally.underWay.size, 0);

  const folder = await saveFiles(tally.atCrash, seed);
  context.after(() => rm(folder, { recursive: true }));
  assert.match(folder, /lightwell-images-4711-/);
  assert.deepEqual((await readdir(folder)).sort(), ['0', '1', '2', 'list.txt']);
  const lines = (await readFile(join(folder, 'list.txt'), 'utf8')).trim().split('\n');
  for (const [index, { bytes, what }] of tally.atCrash.entries()) {
    assert.deepEqual(await readFile(join(folder, String(index))), bytes);
    assert.equal(lines[index], `${index}: upload of ${what}, ${bytes.length} bytes`);
  }
});

const MB = 1024 * 1024;

test('a command in a memory group is killed for want of memory', async (context) => {
  const group = createMemoryGroup(16 * MB);
  if (!group) return context.skip(skipReason);
  context.after(group.remove);
  const commands = commandsIn(group);
  const { code, err } = await commands.run({}, ['--version']);
  assert.equal(group.kills(), 1);
  assert.equal(code, 137, err);
});

test('the peak memory of a command is known, in a group and without one', async (context) => {
  const group = createMemoryGroup(1024 * MB);
  context.after(() => group?.remove());
  for (const commands of [commandsIn(undefined), ...(group ? [commandsIn(group)] : [])]) {
    const { code, err } = await commands.run({}, ['--version']);
    assert.equal(code, 0, err);
    context.diagnostic(`peak ${commands.peak() / MB} MB`);
    assert.ok(commands.peak() > 32 * MB && commands.peak() < 512 * MB);
  }
});

test('the processes of a command are its children and theirs', {
  skip: process.platform !== 'linux',
}, async (context) => {
  const shell = spawn('sh', ['-c', 'sh -c "sleep 60; true"; true'], { detached: true });
  context.after(() => process.kill(-shell.pid!, 'SIGKILL'));
  await eventually(async () => assert.equal(listProcessTree(shell.pid!).length, 3));
  assert.equal(listProcessTree(shell.pid!)[0], shell.pid);
});

test('damaged pictures come in turns of all formats, the same for the same seed', async () => {
  const seeds = await readSeeds();
  const all = [...mutants(5, seeds, 12)];
  for (const { format, made } of seeds) {
    const own = all.filter(({ kind }) => kind === format);
    assert.equal(own.length, format === 'heic' ? 2 : 12);
    assert.ok(new Set(own.map(({ bytes }) => bytes.toString('latin1'))).size > 1, format);
    assert.ok(made.length > 0, format);
  }
  assert.deepEqual([...mutants(5, seeds, 12)], all);
  assert.notDeepEqual([...mutants(6, seeds, 12)], all);
});

test('the file of a job that is left in the folder of a worker is a temporary file', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-holdings-'));
  context.after(() => rm(dataDir, { recursive: true }));
  await mkdir(join(dataDir, 'tmp'));
  assert.deepEqual(await listTemporaryFiles(dataDir), []);
  await mkdir(join(dataDir, 'workers/one'), { recursive: true });
  assert.deepEqual(await listTemporaryFiles(dataDir), []);
  await writeFile(join(dataDir, 'workers/one/input'), '');
  assert.deepEqual(await listTemporaryFiles(dataDir), ['workers/one/input']);
});

test('the reasons why workers ended are counted as the log tells them', () => {
  const line = (why: string, kind: string) =>
    `{"level":40,"kind":"${kind}","cause":"a picture worker ended (${why}): 137","msg":"a picture worker exited before its job was done"}`;
  const output = [line('memory', 'upload'), 'started', line('time', 'avatar'), line('memory', 'upload')].join(
    '\n',
  );
  assert.deepEqual(
    findEndings(output),
    new Map([
      ['memory upload', 2],
      ['time avatar', 1],
    ]),
  );
});

test('counts lateness as a fault on a quiet machine, and only reports it where others work', () => {
  const seen = (what: 'upload' | 'ready', begin: number, ms: number) => ({ what, begin, ms, status: 200 });
  const machine = { others: (begin: number) => (begin < 100_000 ? 0.1 : 1.5), told: () => '', end() {} };
  const failed = (all: ReturnType<typeof seen>[]) =>
    honestFigures(all, machine, 1)
      .filter(({ isHeld }) => !isHeld)
      .map(({ name }) => name);
  assert.deepEqual(failed([seen('upload', 1000, 2900), seen('ready', 1000, 400)]), []);
  assert.deepEqual(failed([seen('upload', 1000, 3100), seen('ready', 1000, 600)]), [
    'honest uploads over 3 s',
    '/health/ready over 500 ms',
  ]);
  assert.deepEqual(failed([seen('upload', 200_000, 9000), seen('ready', 200_000, 9000)]), []);
  const [, unanswered] = honestFigures([{ ...seen('upload', 1, 1), status: 503 }], machine, 1);
  assert.equal(unanswered?.value, '1: upload 503');
});
