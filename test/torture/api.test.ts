/** A short run of the part `api`: `npm test` sends more of the same requests in test/contract/generated.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api } from '../../torture/api/part.ts';
import { makeHome } from '../../torture/homes.ts';
import { seed } from '../support/seed.ts';

const milliseconds = 1000;

test('requests of every kind are answered as openapi.json promises', async (context) => {
  const home = await makeHome('sqlite');
  context.after(home.end);
  context.diagnostic(`seed ${seed}`);
  const figures = await api.run({ home, milliseconds, seed, tell: (line) => context.diagnostic(line) });
  for (const { name, value, isHeld } of figures) {
    context.diagnostic(`${name}: ${value}`);
    assert.ok(isHeld, `${name}: ${value}`);
  }
});
