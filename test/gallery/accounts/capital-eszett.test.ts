/** ẞ is found by ß and ss, also in what was folded before that was so. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { finishSearchMoves } from '../../../server/gallery/library/search-moves.ts';
import { migrate } from '../../../server/platform/db/migrate.ts';
import { assertRead, assertWritten } from '../../support/answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, anonymous, type Person, register } from '../../support/people.ts';
import { assertCountsHold } from '../../support/recount.ts';

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
    const anybody = anonymous(gallery);
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

  test('is found so after an upgrade, too', async () => {
    const { db } = gallery.deps;
    const old = (text: string) => text.toUpperCase().toLowerCase();
    assert.equal(old('GROẞE'), 'große');
    await db.kysely
      .updateTable('photos')
      .set({ title_key: old('GROẞE') })
      .where('id', '=', photo)
      .execute();
    await db.kysely
      .updateTable('users')
      .set({ nickname_key: old('WEIẞ') })
      .where('id', '=', owner.id)
      .execute();
    await db.kysely
      .updateTable('albums')
      .set({ name_key: old('SCHLOẞ'), search_text: old('SCHLOẞ\u0001') })
      .execute();
    const [tag] = await db.kysely
      .deleteFrom('photo_tags')
      .where('name', '=', 'GROẞ')
      .returningAll()
      .execute();
    await db.kysely
      .insertInto('photo_tags')
      .values({ ...tag!, name_key: old('GROẞ') })
      .execute();
    const text = old('GROẞE\u0001\u0001GROẞ\u0001other');
    await db.kysely
      .transaction()
      .execute((transaction) =>
        db.search.put(transaction, { photoId: photo, userId: owner.id, visibility: 2, text }),
      );
    await sql`DELETE FROM kysely_migration WHERE name = '0013_fold'`.execute(db.kysely);
    await assert.rejects(assertFound());

    await migrate(db);
    await finishSearchMoves(gallery.deps);
    await assertFound();
    const { title_key } = await db.kysely
      .selectFrom('photos')
      .select('title_key')
      .where('id', '=', photo)
      .executeTakeFirstOrThrow();
    assert.equal(title_key, 'grosse');
    await assertCountsHold(gallery);
  });
});
