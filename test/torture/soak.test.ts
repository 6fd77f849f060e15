/** A short run of the part `soak`: all that was acknowledged is there; how memory grows takes longer to say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHome } from '../../torture/homes.ts';
import { soak } from '../../torture/soak/part.ts';
import { seed } from '../support/seed.ts';

test('what users did for some seconds, all at once, is as they were told', async (context) => {
  const home = await makeHome('sqlite');
  context.after(home.end);
  context.diagnostic(`seed ${seed}`);
  const tell = (line: string) => context.diagnostic(line);
  const figures = await soak.run({ home, milliseconds: 1500, seed, tell });
  for (const { name, value, isHeld } of figures) {
    context.diagnostic(`${name}: ${value}`);
    const needsTime = /^(memory|descriptors) of the last quarter/.test(name);
    assert.ok(isHeld || needsTime, `${name}: ${value}`);
  }
  assert.ok(Number(figures.find(({ name }) => name.endsWith('read'))?.value) > 0);
});
