/** A short run of the part `kills`: however few kills the time allows, nothing that was acknowledged is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHome } from '../../torture/homes.ts';
import { kills } from '../../torture/kills/part.ts';

const milliseconds = 6000;

test('servers that are killed at random moments lose nothing', async (context) => {
  const home = await makeHome(process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite');
  context.after(home.end);
  const seed = Date.now() % 1_000_000_000;
  const tell = (line: string) => context.diagnostic(line);
  const figures = await kills.run({ home, milliseconds, seed, tell });
  for (const { name, value, isHeld } of figures) {
    context.diagnostic(`${name}: ${value}`);
    // How many depends on the machine.
    if (name === 'kills under load') assert.ok(Number(value) > 0);
    else assert.ok(isHeld, `${name}: ${value}`);
  }
});
