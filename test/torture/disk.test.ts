/** A short run of the part `disk`: each trouble once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disk } from '../../torture/disk/part.ts';
import { makeHome } from '../../torture/homes.ts';

test('a server in trouble refuses clearly, and recovers without a restart', async (context) => {
  const home = await makeHome('sqlite');
  context.after(home.end);
  const seed = Date.now() % 1_000_000_000;
  const tell = (line: string) => context.diagnostic(line);
  for (const { name, value, isHeld } of await disk.run({ home, milliseconds: 1000, seed, tell })) {
    context.diagnostic(`${name}: ${value}`);
    // How many depends on the machine.
    if (name === 'troubles') assert.ok(Number(value) > 0);
    else assert.ok(isHeld, `${name}: ${value}`);
  }
});
