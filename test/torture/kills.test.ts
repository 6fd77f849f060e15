/** A short run of the part `kills`: of few kills, after which nothing that was acknowledged is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHome } from '../../torture/homes.ts';
import { kills } from '../../torture/kills/part.ts';

/** However long they take: the second falls upon a gallery that one has left. */
const settings = { kills: 2, milliseconds: 0, mostWork: 20 };

test('servers that are killed at random moments lose nothing', async (context) => {
  const home = await makeHome(process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite');
  context.after(home.end);
  const seed = Date.now() % 1_000_000_000;
  const tell = (line: string) => context.diagnostic(line);
  const figures = await kills.run({ home, ...settings, seed, tell });
  for (const { name, value, isHeld } of figures) {
    context.diagnostic(`${name}: ${value}`);
    assert.ok(isHeld, `${name}: ${value}`);
  }
});
