/** A short run of the part `kills`: of few kills, after which nothing that was acknowledged is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHome } from '../../torture/homes.ts';
import { kills } from '../../torture/kills/part.ts';
import { seed } from '../support/seed.ts';

const name = process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite';
/** However long they take: the second falls upon a gallery that one has left, on PostgreSQL one server goes on. */
const settings = { kills: name === 'postgres' ? 1 : 2, milliseconds: 0, mostWork: 8 };

test('servers that are killed at random moments lose nothing', async (context) => {
  const home = await makeHome(name);
  context.after(home.end);
  context.diagnostic(`seed ${seed}`);
  const tell = (line: string) => context.diagnostic(line);
  const figures = await kills.run({ home, ...settings, seed, tell });
  for (const figure of figures) {
    context.diagnostic(`${figure.name}: ${figure.value}`);
    assert.ok(figure.isHeld, `${figure.name}: ${figure.value}`);
  }
});
