/** Tests the limits that resumable uploads count against, and their deletion together with the account. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deleteUser, eraseDeletedUsers } from '../../../server/gallery/admin/erase/erase.ts';
import { commandLineActor } from '../../../server/gallery/moderation/audit.ts';
import { releaseDeletionLock, setDeletionLock } from '../../../server/platform/ownership/deletion-lock.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertRefused } from '../../support/assert-answers.ts';
import { startCheckedGallery } from '../../support/checked-gallery.ts';
import { countHoldings } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createUpload, deleteUpload, readOffset, sendChunk, startUpload } from '../../support/uploads.ts';

describe('resumable uploads have a limit of their own', () => {
  let gallery: Gallery;
  let owner: Person;

  before(async () => {
    gallery = await startGallery({ rateLimit: 4, uploadRateLimit: 6 });
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  test('do not use up the limit of calls, nor calls theirs', async () => {
    for (let left = 5; left >= 0; left--) {
      const { status, headers } = await createUpload(owner, 1000);
      assert.equal(status, 201);
      const told = ['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`));
      assert.deepEqual(told, ['6', String(left)]);
    }
    const refused = await createUpload(owner, 1000);
    assertRefused(refused, 429, 429);
    assert.match(refused.headers.get('retry-after')!, /^\d+$/);
    const { status, headers } = await owner.get('/api/photos');
    assert.deepEqual([status, headers.get('x-ratelimit-limit')], [200, '4']);
    for (let n = 0; n < 3; n++) await owner.get('/api/photos');
    assertRefused(await owner.get('/api/photos'), 429, 429);
  });
});

describe('an open upload', () => {
  let gallery: Gallery;

  before(async () => {
    gallery = await startGallery();
  });
  after(() => gallery.close());

  test('can be read by pages of other origins, and is counted in the metrics', async () => {
    const owner = await register(gallery, 'owner');
    const { headers } = await createUpload(owner, 1000, {}, { origin: 'https://app.example.org' });
    assert.equal(headers.get('access-control-allow-origin'), '*');
    for (const name of ['Location', 'Upload-Offset', 'Upload-Expires', 'Retry-After']) {
      assert.match(headers.get('access-control-expose-headers')!, new RegExp(`\\b${name}\\b`));
    }
    const { bytes } = await asVisitor(gallery).get('/metrics');
    assert.match(bytes.toString(), /^lightwell_uploads_open 1$/m);
  });

  test('goes with its account', async () => {
    const vera = await register(gallery, 'vera');
    const before = await countHoldings(gallery.deps);
    const path = await startUpload(vera, 5000);
    assert.equal((await sendChunk(vera, path, 0, Buffer.alloc(3000, 'x'))).status, 204);
    assert.equal((await countHoldings(gallery.deps)).objects, before.objects + 1);
    await deleteUser(gallery.deps, commandLineActor, vera.id);
    await eraseDeletedUsers(gallery.deps);
    assert.deepEqual(await countHoldings(gallery.deps), before);
    const { kysely } = gallery.deps.db;
    assert.deepEqual(
      await kysely.selectFrom('uploads').select('id').where('user_id', '=', vera.id).execute(),
      [],
    );
    assert.deepEqual(await kysely.selectFrom('upload_pieces').selectAll().execute(), []);
    assert.deepEqual(gallery.complaints(), []);
  });
});

test('keeps its pieces during the deletion lock, and loses them in the next maintenance run', async () => {
  const gallery = await startGallery();
  try {
    const { deps } = gallery;
    const owner = await register(gallery, 'owner');
    const before = await countHoldings(deps);
    const path = await startUpload(owner, 5000);
    await sendChunk(owner, path, 0, Buffer.alloc(3000, 'x'));
    await setDeletionLock(deps, { reason: 'adopted', since: deps.clock(), objects: 1, orphans: 0 });
    assert.equal((await deleteUpload(owner, path)).status, 204);
    await runMaintenance(deps, { graceSeconds: undefined });
    assert.equal((await countHoldings(deps)).objects, before.objects + 1);
    await releaseDeletionLock(deps);
    await runMaintenance(deps, { graceSeconds: undefined });
    assert.deepEqual(await countHoldings(deps), before);
  } finally {
    await gallery.close();
  }
});

test('lightwell check finds nothing wrong with an open upload', async () => {
  const { gallery, owner, assertClean, check } = await startCheckedGallery();
  try {
    const picture = await createJpeg({ width: 700, height: 500 });
    const path = await startUpload(owner, picture.length);
    await sendChunk(owner, path, 0, picture.subarray(0, 2000));
    await assertClean();
    const { kysely } = gallery.deps.db;
    // Writes a removal for a piece in use, as a programming error would.
    const { object } = await kysely.selectFrom('upload_pieces').select('object').executeTakeFirstOrThrow();
    await kysely.insertInto('removals').values({ object, due_time: gallery.deps.clock() }).execute();
    assert.deepEqual((await check({ isRepair: true })).kinds, ['live-removal']);
    await assertClean();
    assert.equal(await readOffset(owner, path), 2000);
    assert.equal((await sendChunk(owner, path, 2000, picture.subarray(2000))).status, 200);
    await assertClean();
  } finally {
    await gallery.close();
  }
});
