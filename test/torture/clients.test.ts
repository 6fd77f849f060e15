/** A short run of the part `clients`, of two attacks: what others wait is no matter for a test, what they get is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attacks } from '../../torture/clients/attacks.ts';
import { createClients } from '../../torture/clients/part.ts';
import { makeHome } from '../../torture/homes.ts';
import { seed } from '../support/seed.ts';

const chosen = ['uploads that vanish', 'a thousand lists pipelined on each of 20'];

test('others get their photos while clients vanish and pipeline, and nothing is left of these', async (context) => {
  const home = await makeHome('sqlite');
  context.after(home.end);
  const part = createClients(
    attacks.filter(({ name }) => chosen.includes(name)),
    0,
  );
  context.diagnostic(`seed ${seed}`);
  const tell = (line: string) => context.diagnostic(line);
  const figures = await part.run({ home, milliseconds: 17_000, seed, tell });
  const others = figures.filter(({ name }) => name.startsWith('others during'));
  assert.equal(others.length, chosen.length);
  for (const { name, value } of others) assert.match(value, / times, 0$/, name);
  const left = figures.find(({ name }) => name.endsWith('left'));
  assert.equal(left?.value, '0');
});
