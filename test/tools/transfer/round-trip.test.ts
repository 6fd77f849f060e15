/** A moved gallery is the same gallery for its users, byte by byte. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { moveGallery } from '../../../server/tools/transfer/move/move.ts';
import { silentProgress } from '../../../server/tools/transfer/progress.ts';
import type { Gallery } from '../../support/harness.ts';
import { addPhoto, logIn } from '../../support/people.ts';
import { type Contents, fillGallery } from './fill-gallery.ts';
import { createScope, otherHome, readAllBytes, serve, sqliteHome } from './gallery-locations.ts';
import { finishUpload } from './open-upload.ts';
import { assertSame, replaceAddresses, type Walk, walk, walkImages } from './walk-api.ts';

describe('a gallery that moves', () => {
  const scope = createScope();
  after(() => scope.end());
  let contents: Contents;
  let first: GalleryLocation;
  let other: GalleryLocation;
  let back: GalleryLocation;
  let expected: Walk;
  let oldBytes: Record<string, string>;

  before(async () => {
    [first, other, back] = [
      await sqliteHome(scope, { isMigrated: true }),
      await otherHome(scope),
      await sqliteHome(scope),
    ];
    contents = await using(first, fillGallery);
    oldBytes = await readAllBytes(first.dataDir);
  });

  test('arrives with every row and file', async () => {
    const { tables, copied, present } = await carry(first, other);
    assert.ok(copied > 20, `${copied} files`);
    assert.equal(present, 0);
    assert.equal(tables.users?.rows, 4);
    assert.equal(tables.photos?.rows, 6);
  });

  test('leaves the old place as it was', async () => {
    assert.deepEqual(await readAllBytes(first.dataDir), oldBytes);
  });

  test('goes on to a third place', async () => {
    await carry(other, back);
  });

  test('answers everybody as before', async () => {
    expected = await using(first, (gallery) => walk(gallery, contents));
    assert.ok([...expected.values()].some((answer) => answer.includes('日落')));
    assert.ok([...expected.keys()].filter((key) => key.startsWith('/storage/')).length > 10);
    assertSame(await using(other, (gallery) => walk(gallery, contents)), expected);
    assertSame(await using(back, (gallery) => walk(gallery, contents)), expected);
  });

  test('serves the paths that were handed out before', async () => {
    const { list } = await using(first, async (gallery) => {
      const { body } = await replaceAddresses(gallery, contents.owner).get('/api/photos?is_public=0');
      return body.data;
    });
    assert.ok(list.length > 0);
    for (const home of [other, back]) {
      await using(home, (gallery) =>
        walkImages(
          gallery,
          list.map(({ thumb }: { thumb: string }) => thumb),
          new Map(),
        ),
      );
    }
  });

  test('lives on: passwords, new ids, counts, the index, open uploads', async () => {
    await using(other, async (gallery) => {
      const owner = await logIn(gallery, contents.owner);
      const before = (await owner.get('/api/photos?keyword=meadow')).body.data.pagination.total;
      const { id } = await addPhoto(owner, { title: 'A meadow', tags: 'hills' });
      assert.ok(id > contents.ended, `${id} was the id of a photo that was ended`);
      const found = (await owner.get('/api/photos?keyword=meadow')).body.data;
      assert.deepEqual([before, found.pagination.total], [0, 1]);
      const hills = (tags: { name: string; count: number }[]) => tags.find(({ name }) => /hills/i.test(name));
      const count = hills((await owner.get('/api/tags')).body.data.list)!.count;
      assert.equal((await owner.delete(`/api/photos/${id}`)).status, 200);
      assert.equal(hills((await owner.get('/api/tags')).body.data.list)!.count, count - 1);
      await finishUpload(owner, contents.upload);
      assert.deepEqual(gallery.complaints(), []);
    });
  });
});

function carry(from: GalleryLocation, to: GalleryLocation) {
  return moveGallery({ from, to, acceptDamage: false, progress: silentProgress });
}

async function using<Result>(
  home: GalleryLocation,
  work: (gallery: Gallery) => Promise<Result>,
): Promise<Result> {
  const gallery = await serve(home);
  try {
    return await work(gallery);
  } finally {
    await gallery.close();
  }
}
