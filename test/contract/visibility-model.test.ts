/**
 * Random requests about levels, albums, the trash and accounts. The gallery and the model of
 * `docs/visibility.md` must agree about every answer, for every viewer.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGallery } from '../support/harness.ts';
import { testSeed } from '../support/seed.ts';
import { playAtRandom, sayRequest } from '../support/visibility-model/play.ts';

/** Limits of the short run. `npm run torture -- visibility` plays many more. */
const limit = { requests: 40, decisions: 3000 };

test(`each viewer sees what the page about levels says (seed ${testSeed})`, async (context) => {
  const gallery = await startGallery();
  context.after(() => gallery.close());
  const { requests, carriedOut, failure } = await playAtRandom(gallery, testSeed, limit);
  assert.equal(failure?.text, undefined, `seed ${testSeed}:\n${carriedOut.map(sayRequest).join('\n')}`);
  assert.equal(requests.length, limit.requests);
});
