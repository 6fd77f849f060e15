/** Tests the tools of the part `images`: it keeps the files that a server died of, and bounds the memory of commands. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandsIn } from '../../torture/images/commands.ts';
import { keepFiles } from '../../torture/images/kept.ts';
import { createTally, use } from '../../torture/images/use.ts';
import { createMemoryGroup, skipped } from '../support/memory-group.ts';
import { person } from '../support/people.ts';
import { createRandom } from '../support/random.ts';

test('the files that a server died of are kept, with what was done to them', async (context) => {
  // It takes three files, and is gone before it answers.
  let taken = 0;
  const server = createServer((request) => {
    request.resume().on('end', () => {
      if (++taken === 3) server.closeAllConnections();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  const place = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const owner = person(place, 'mallory', 'token', 1);
  const tally = createTally();
  const seeds = ['one', 'two'].map((name) => ({ name, bytes: Buffer.from(`the bytes of ${name}`) }));
  const seed = 4711;
  const random = createRandom(seed);
  await Promise.all([1, 2, 3].map(() => use(place, owner, tally, random, seeds)));
  assert.equal(tally.crashes.length, 3);
  assert.equal(tally.underWay.size, 0);

  const folder = await keepFiles(tally.atCrash, seed);
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
  if (!group) return context.skip(skipped);
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
