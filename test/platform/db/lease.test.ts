import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDatabase } from '../../../server/platform/db/index.ts';
import { acquireWorkLease } from '../../../server/platform/db/settings.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';

let gallery: Gallery;
before(async () => {
  gallery = await startGallery();
});
after(() => gallery?.close());

test('a lease goes to one of many who ask, and to another one when it has ended', async () => {
  const { config, db } = gallery.deps;
  const { dataDir, databaseUrl: url } = config;
  // Opens a second database with its own connections, like another process.
  const other = await openDatabase({ dataDir, url, onError: () => {} });
  try {
    const ask = (now: number, name = 'work') =>
      Promise.all(
        Array.from({ length: 20 }, (_, number) => acquireWorkLease(number % 2 ? db : other, name, now, 60)),
      );
    const taken = async (now: number, name?: string) => (await ask(now, name)).filter(Boolean).length;
    assert.equal(await taken(1000), 1);
    assert.equal(await taken(1059), 0);
    assert.equal(await taken(1059, 'other work'), 1);
    assert.equal(await taken(1060), 1);
    assert.equal(await taken(999_999_999_999), 1);
    // The lease was taken with a clock far in the future. With the correct clock, another process can take
    // the lease at once.
    assert.equal(await taken(2000), 1);
    assert.equal(await taken(2059), 0);
  } finally {
    await other.close();
  }
});
