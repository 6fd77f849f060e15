/** A short run of the part `dependencies`: one of its troubles, which the seed chooses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDependencies } from '../../torture/dependencies/part.ts';
import { makeHome } from '../../torture/homes.ts';
import { none } from '../../torture/part.ts';
import { openScene } from '../../torture/trouble/scene.ts';
import { seed } from '../support/seed.ts';

/** Of the part's 50. */
const mostWork = 8;

test('a server whose database, store or Redis fails refuses clearly, and recovers by itself', async (context) => {
  context.diagnostic(`seed ${seed}`);
  const home = await makeHome('sqlite');
  context.after(home.end);
  const dependencies = await openDependencies(home.dataDir);
  context.after(dependencies.end);
  const scene = await openScene(dependencies.settings, seed, mostWork);
  context.after(scene.end);
  const [name, trouble] = scene.random.pick(dependencies.troublesOf(scene));
  context.diagnostic(name);
  await scene.work(trouble);
  await scene.assess(true, trouble);
  const { faults, ...others } = scene.troubles;
  for (const [what, list] of Object.entries({ ...faults, ...others, wrong: scene.ledger.wrong })) {
    const { value, isHeld } = none(what, list);
    assert.ok(isHeld, `${what}: ${value}`);
  }
});
