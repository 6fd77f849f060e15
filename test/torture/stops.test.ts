/** A short run of the part `stops`: however few the time allows, each ends by itself, and nothing is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHome } from '../../torture/homes.ts';
import { stops } from '../../torture/stops/part.ts';
import { seed } from '../support/seed.ts';

test('servers that are stopped under load end by themselves and lose nothing', async (context) => {
  const home = await makeHome(process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite');
  context.after(home.end);
  const tell = (line: string) => context.diagnostic(line);
  context.diagnostic(`seed ${seed}`);
  for (const { name, value, isHeld } of await stops.run({
    home,
    milliseconds: 1000,
    mostWork: 8,
    seed,
    tell,
  })) {
    context.diagnostic(`${name}: ${value}`);
    // How long the longest takes depends on the machine.
    assert.ok(isHeld || name === 'longest stop', `${name}: ${value}`);
  }
});
