/**
 * Damages objects in one way at a time. The check finds exactly that damage, changes nothing, and repairs on
 * request.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createObjectKey, objectName } from '../../../server/platform/storage/keys.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { type CheckedGallery, startCheckedGallery } from '../../support/checked-gallery.ts';
import { asVisitor } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

const day = 86_400;

let gallery: CheckedGallery['gallery'];
let owner: CheckedGallery['owner'];
let friend: CheckedGallery['friend'];
let photo: CheckedGallery['photo'];
let check: CheckedGallery['check'];
let assertClean: CheckedGallery['assertClean'];
let assertRepairs: CheckedGallery['assertRepairs'];
let versions: CheckedGallery['versions'];
let objectOf: CheckedGallery['objectOf'];
let bytesOf: CheckedGallery['bytesOf'];
let put: CheckedGallery['put'];

before(async () => {
  ({ gallery, owner, friend, photo, check, assertClean, assertRepairs, versions, objectOf, bytesOf, put } =
    await startCheckedGallery());
});
after(() => gallery.close());

test('a sound gallery has nothing to report', async () => {
  await assertClean();
  assert.deepEqual((await check({ isFast: true })).found, {});
});

describe('objects', () => {
  test('a missing rendition of an original is made again, byte for byte', async () => {
    for (const kind of ['thumb', 'preview']) {
      const name = await objectOf(kind, 'original');
      const bytes = await bytesOf(name);
      await gallery.deps.storage.remove(name);
      const { findings } = await assertRepairs('rendition-missing');
      assert.deepEqual(
        findings.map(({ subject }) => subject),
        [name],
      );
      assert.ok(bytes.equals(await bytesOf(name)));
    }
  });

  test('a missing edited image is made again from the original and its steps', async () => {
    const name = await objectOf('edit', 'shown');
    const bytes = await bytesOf(name);
    await gallery.deps.storage.remove(name);
    await gallery.deps.storage.remove(await objectOf('thumb', 'shown'));
    await assertRepairs('image-missing', 'rendition-missing');
    assert.ok(bytes.equals(await bytesOf(name)));
    const { path } = assertRead(await asVisitor(gallery).get(`/api/photos/${photo}`));
    assert.equal((await asVisitor(gallery).get(path)).status, 200);
  });

  test('a cut, an empty and a garbled rendition are found; a garbled one by the full check alone', async () => {
    const thumb = await objectOf('thumb', 'original');
    const bytes = await bytesOf(thumb);
    await put(thumb, Buffer.alloc(0));
    assert.deepEqual((await check({ isFast: true })).kinds, ['rendition-damaged']);
    await assertRepairs('rendition-damaged');
    await put(thumb, bytes.subarray(0, bytes.length >> 1));
    assert.deepEqual((await check({ isFast: true })).kinds, []);
    await assertRepairs('rendition-damaged');
    const edit = await objectOf('edit', 'shown');
    await put(edit, (await bytesOf(edit)).subarray(0, 300));
    assert.deepEqual((await check({ isFast: true })).kinds, ['image-damaged']);
    await assertRepairs('image-damaged');
  });

  test('a lost original is reported, and its rows stay', async () => {
    const name = await objectOf('original', 'original');
    const bytes = await bytesOf(name);
    const rows = await versions();
    await gallery.deps.storage.remove(name);
    await gallery.deps.storage.remove(await objectOf('thumb', 'original'));
    const repaired = await check({ isRepair: true });
    assert.deepEqual(repaired.kinds, ['original-missing', 'rendition-missing']);
    assert.deepEqual([repaired.repaired, repaired.left], [0, 2]);
    assert.deepEqual(await versions(), rows);
    assert.equal((await owner.get(`/api/photos/${photo}`)).status, 200);

    await put(name, bytes);
    await assertRepairs('rendition-missing');
  });

  test('a size that is missing or damaged is forgotten, and made again for who asks for it next', async () => {
    const { image } = assertRead(await asVisitor(gallery).get(`/api/photos/${photo}`));
    const paths = [320, 640].map((width) => image.replace('{width}', String(width)));
    const sizes: Buffer[] = [];
    for (const path of paths) sizes.push((await asVisitor(gallery).get(path)).bytes);
    await assertClean();
    const [small, large] = [await objectOf('w320', 'shown'), await objectOf('w640', 'shown')];
    await gallery.deps.storage.remove(small);
    await put(large, Buffer.from('no picture'));
    assert.deepEqual((await check({ isFast: true })).kinds, ['rendition-missing']);
    const { findings } = await assertRepairs('rendition-damaged', 'rendition-missing');
    assert.deepEqual(findings.map(({ subject }) => subject).sort(), [small, large].sort());
    for (const name of [small, large]) assert.equal(await gallery.deps.storage.stat(name), undefined);
    for (const [index, path] of paths.entries()) {
      const { status, bytes } = await asVisitor(gallery).get(path);
      assert.deepEqual([status, bytes.equals(sizes[index]!)], [200, true]);
    }
    await assertClean();
  });

  test('an altered original is found by its checksum, and nothing is made from it', async () => {
    const name = await objectOf('original', 'original');
    const bytes = await bytesOf(name);
    const altered = Buffer.from(bytes);
    altered[altered.length >> 1]! ^= 1;
    await put(name, altered);
    assert.deepEqual((await check({ isFast: true })).kinds, []);
    await gallery.deps.storage.remove(await objectOf('preview', 'original'));
    const repaired = await check({ isRepair: true });
    assert.deepEqual(repaired.kinds, ['original-damaged', 'rendition-missing']);
    assert.equal(repaired.repaired, 0);
    assert.ok(altered.equals(await bytesOf(name)), 'the evidence stays');

    await put(name, Buffer.concat([bytes, Buffer.from('!')]));
    assert.match((await check({ isFast: true })).findings[0]!.detail, /bytes instead of/);
    await put(name, bytes);
    await assertRepairs('rendition-missing');
  });

  test('S3: an object that the store itself knows as wrong is damaged', async (context) => {
    const { storageUrl } = gallery.deps.config;
    if (!storageUrl) return context.skip('files have no checksum beside them');
    const { hostname, searchParams } = new URL(storageUrl);
    for (const [kind, found] of [
      ['thumb', 'rendition-damaged'],
      ['original', 'original-damaged'],
    ] as const) {
      const name = await objectOf(kind, 'original');
      const bytes = await bytesOf(name);
      const altered = await fetch(`${searchParams.get('endpoint')}/${hostname}/${name}`, {
        method: 'PUT',
        headers: { 'x-amz-meta-sha256': '0'.repeat(64) },
        body: new Uint8Array(bytes),
      });
      assert.equal(altered.status, 200);
      const { findings, kinds } = await check();
      assert.deepEqual(kinds, [found]);
      assert.match(findings[0]!.detail, /the file cannot be read: .*SHA-256/);
      if (kind === 'thumb') await assertRepairs(found);
      else await put(name, bytes);
      await assertClean();
    }
  });

  test('an object without a row is reported after the grace period, and only then removed', async () => {
    const name = objectName(createObjectKey(), 'original', 'jpg');
    await put(name, await createJpeg());
    assert.deepEqual((await check({ isRepair: true })).kinds, []);
    assert.ok(await gallery.deps.storage.stat(name));
    gallery.travel(day + 60);
    await assertRepairs('object-without-row');
    assert.equal(await gallery.deps.storage.stat(name), undefined);
    gallery.travel(-day - 60);
  });

  test('a missing avatar is reported', async () => {
    const { kysely } = gallery.deps.db;
    await kysely
      .updateTable('users')
      .set({ avatar: objectName(createObjectKey(), 'avatar', 'webp') })
      .where('id', '=', friend.id)
      .execute();
    assert.deepEqual((await check({ isRepair: true })).kinds, ['avatar-missing']);
    await kysely.updateTable('users').set({ avatar: '' }).where('id', '=', friend.id).execute();
    await assertClean();
  });
});

describe('removals', () => {
  test('of an object in use are canceled before the maintenance run carries them out', async () => {
    const name = await objectOf('original', 'original');
    await gallery.deps.db.kysely.insertInto('removals').values({ object: name, due_time: 0 }).execute();
    const { kinds, repaired } = await check({ isRepair: true });
    // The check deletes this removal before it looks for overdue removals, so it reports only one kind of
    // fault.
    assert.deepEqual([kinds, repaired], [['live-removal'], 1]);
    await assertClean();
    assert.ok(await gallery.deps.storage.stat(name));
  });

  test('are overdue after a day when they are not carried out', async () => {
    const name = objectName(createObjectKey(), 'thumb', 'webp');
    await put(name, Buffer.from('x'));
    const removal = { object: name, due_time: gallery.deps.clock() };
    await gallery.deps.db.kysely.insertInto('removals').values(removal).execute();
    await assertClean();
    gallery.travel(day);
    await assertRepairs('removals-overdue');
    assert.equal(await gallery.deps.storage.stat(name), undefined);
    gallery.travel(-day);
  });
});
