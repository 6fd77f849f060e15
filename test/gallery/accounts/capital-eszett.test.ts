/** Search finds ẞ by ß and ss, also in texts that were folded by an earlier version. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register } from '../../support/people.ts';

describe('ẞ', () => {
  let gallery: Gallery;
  let owner: Person;
  let photo: number;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    ({ id: photo } = await addPhoto(owner, { title: 'GROẞE', tags: 'GROẞ,other' }));
    await addAlbum(owner, 'SCHLOẞ');
    assertWritten(await owner.put('/api/auth/profile', { nickname: 'WEIẞ' }));
  });
  after(() => gallery.close());

  async function assertFound(): Promise<void> {
    const anybody = asVisitor(gallery);
    const ids = async (path: string) => {
      const { list, pagination } = assertRead(await anybody.get(encodeURI(path)));
      assert.equal(pagination.total, list.length, path);
      return list.map(({ id }: { id: number }) => id);
    };
    for (const keyword of ['große', 'grosse', 'GROẞE', 'GROSSE', 'ẞ', 'ß']) {
      assert.deepEqual(await ids(`/api/photos?keyword=${keyword}`), [photo], keyword);
    }
    for (const tag of ['groß', 'GROẞ', 'gross'])
      assert.deepEqual(await ids(`/api/photos?tag=${tag}`), [photo]);
    assert.equal((await ids('/api/albums?keyword=schloß')).length, 1);
    assert.deepEqual(await ids('/api/users?keyword=weiß'), [owner.id]);
  }

  test('is found by ß and ss', () => assertFound());
});
