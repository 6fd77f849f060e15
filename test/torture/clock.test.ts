/** A short run of the part `clock`: however few jumps the time allows, all is right when the clock is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clock } from '../../torture/clock/part.ts';
import { makeHome } from '../../torture/homes.ts';
import { seed } from '../support/seed.ts';

test('a server whose clock jumps loses nothing, and goes on when it is right again', async (context) => {
  const home = await makeHome(process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite');
  context.after(home.end);
  context.diagnostic(`seed ${seed}`);
  const tell = (line: string) => context.diagnostic(line);
  const figures = await clock.run({ home, milliseconds: 1000, mostWork: 4, seed, tell });
  for (const { name, value } of figures) context.diagnostic(`${name}: ${value}`);
  for (const { name, value, isHeld } of figures) {
    // How many depends on the machine.
    if (name === 'jumps') assert.ok(Number(value) > 0);
    else assert.ok(isHeld, `${name}: ${value}`);
  }
});
