/** A short run of the part `images`: some damaged pictures of each format, and a folder of them to import. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHome } from '../../torture/homes.ts';
import { commandsIn } from '../../torture/images/commands.ts';
import { images } from '../../torture/images/part.ts';
import { createMemoryGroup, skipped } from '../support/memory-group.ts';

const milliseconds = 4000;

test('damaged pictures are refused or shown whole, and leave nothing', async (context) => {
  const home = await makeHome('sqlite');
  context.after(home.end);
  const seed = Date.now() % 1_000_000_000;
  context.diagnostic(`seed ${seed}`);
  const figures = await images.run({ home, milliseconds, seed, tell: (line) => context.diagnostic(line) });
  for (const { name, value, isHeld } of figures) {
    context.diagnostic(`${name}: ${value}`);
    // How many depends on the machine, and on chance where they are few.
    if (/^(files sent|accepted|refused)$/.test(name)) continue;
    assert.ok(isHeld, `${name}: ${value}`);
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
