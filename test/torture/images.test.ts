/** A short run of the part `images`: some damaged pictures of each format, and a folder of them to import. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHome } from '../../torture/homes.ts';
import { images } from '../../torture/images/part.ts';

const milliseconds = 5000;

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
