/**
 * Breaks one relation between rows at a time. The check finds exactly that fault, changes nothing, and
 * repairs on request.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { countPhotosToRead } from '../../../server/gallery/photos/reread/reread.ts';
import { createObjectKey } from '../../../server/platform/storage/keys.ts';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { type CheckedGallery, startCheckedGallery } from '../../support/checked-gallery.ts';
import { addAlbum, addPhoto, asVisitor, register } from '../../support/people.ts';

let gallery: CheckedGallery['gallery'];
let owner: CheckedGallery['owner'];
let photo: CheckedGallery['photo'];
let comment: CheckedGallery['comment'];
let check: CheckedGallery['check'];
let assertClean: CheckedGallery['assertClean'];
let assertRepairs: CheckedGallery['assertRepairs'];

before(async () => {
  ({ gallery, owner, photo, comment, check, assertClean, assertRepairs } = await startCheckedGallery());
});
after(() => gallery.close());

describe('rows', () => {
  const update = (statement: string) => sql.raw(statement).execute(gallery.deps.db.kysely);

  test('counters are counted again', async () => {
    await update(
      `UPDATE photo_counts SET likes = 7, favorites = 0, comments = 9, comment_threads = 5
        WHERE photo_id = ${photo}`,
    );
    await update(`UPDATE comments SET likes = 3, reply_count = 0 WHERE id = ${comment}`);
    await update('UPDATE users SET followers = followers + 1, following = 4, used_bytes = 5');
    const { findings } = await assertRepairs('counter-drifted');
    assert.deepEqual(findings.map(({ subject }) => subject.split(' ')[0]).sort(), [
      'comment',
      'photo',
      'user',
      'user',
    ]);
    assert.equal(
      findings.find(({ subject }) => subject === `photo ${photo}`)!.detail,
      'likes is 7 instead of 2, favorites is 0 instead of 1, ' +
        'comments is 9 instead of 2, comment_threads is 5 instead of 1',
    );
    const { likes, comments } = assertRead(await owner.get(`/api/photos/${photo}`));
    assert.deepEqual([likes, comments], [2, 2]);
    await assertAlbumsConsistent(gallery);
  });

  test('a photo without rows of counters gets them, with its likes', async () => {
    const other = await addPhoto(owner);
    await update(`DELETE FROM photo_counts WHERE photo_id = ${photo}`);
    await update(`DELETE FROM photo_views WHERE photo_id = ${other.id}`);
    const { findings } = await assertRepairs('counter-drifted');
    assert.deepEqual(findings.map(({ subject }) => subject).sort(), [`photo ${photo}`, `photo ${other.id}`]);
    const { likes } = assertRead(await owner.get(`/api/photos/${photo}`));
    assert.equal(likes, 2);
    const { list } = assertRead(await owner.get('/api/photos?sort=views'));
    assert.ok(list.some(({ id }: { id: number }) => id === other.id));
    await owner.delete(`/api/photos/${other.id}`);
    await owner.delete(`/api/trash/${other.id}`);
  });

  test('totals are counted again, those that are gone or too many included', async () => {
    await update('UPDATE photo_totals SET n = n + 2 WHERE visibility = 2');
    await update('DELETE FROM photo_totals WHERE visibility = 1');
    await update('INSERT INTO photo_totals (user_id, visibility, n) VALUES (4711, 2, 3)');
    await update("UPDATE tag_totals SET n = 5 WHERE name_key = 'sea'");
    await update("DELETE FROM tag_totals WHERE name_key = 'boats'");
    await update(
      "INSERT INTO tag_totals (user_id, visibility, name_key, name, n) VALUES (0, 2, 'x', 'X', 1)",
    );
    await assertRepairs('total-drifted');
    const { list } = assertRead(await asVisitor(gallery).get('/api/tags'));
    assert.deepEqual(list.map(({ name, count }: { name: string; count: number }) => [name, count]).sort(), [
      ['Boats', 1],
      ['sea', 1],
    ]);
    assert.equal(assertRead(await asVisitor(gallery).get('/api/photos')).pagination.total, 1);
  });

  test('visibility follows from albums and photos again, down to tags and search', async () => {
    await update(`UPDATE albums SET level = 0 WHERE name = 'Outer'`);
    const wrong = await check();
    assert.deepEqual(wrong.kinds, ['visibility-wrong']);
    await assertRepairs('visibility-wrong');
    assert.equal((await asVisitor(gallery).get(`/api/photos/${photo}`)).body.code, 20004);
    await assertAlbumsConsistent(gallery);
    await update(`UPDATE albums SET level = 2 WHERE name = 'Outer'`);
    await assertRepairs('visibility-wrong');
    const member = await register(gallery, 'member');
    assert.equal((await asVisitor(gallery).get(`/api/photos/${photo}`)).body.code, 20004);
    assert.equal(assertRead(await member.get('/api/photos?keyword=harbour')).pagination.total, 1);
    assert.equal(assertRead(await member.get('/api/photos?tag=sea')).pagination.total, 1);
    await assertAlbumsConsistent(gallery);
    await update(`UPDATE albums SET level = 1, visibility = 2 WHERE name = 'Outer'`);
    await assertRepairs('visibility-wrong');
    await update(`UPDATE photos SET visibility = 1 WHERE id = ${photo}`);
    const { kinds } = await check({ isRepair: true });
    assert.ok(kinds.includes('visibility-wrong'));
    await check({ isRepair: true });
    await assertClean();
    await assertAlbumsConsistent(gallery);
    assert.equal((await asVisitor(gallery).get('/api/photos?keyword=harbour')).body.data.pagination.total, 1);
  });

  test("the tags' rows are made again", async () => {
    await update(`DELETE FROM photo_tags WHERE photo_id = ${photo} AND name_key = 'boats'`);
    await update("DELETE FROM tag_totals WHERE name_key = 'boats'");
    await assertRepairs('tags-differ');
    assert.equal((await asVisitor(gallery).get('/api/photos?tag=boats')).body.data.pagination.total, 1);
  });

  test('the search index is filled again', async () => {
    const find = async () =>
      (await asVisitor(gallery).get('/api/photos?keyword=harbour')).body.data.pagination.total;
    const { db } = gallery.deps;
    await db.kysely
      .transaction()
      .execute((transaction) => db.search.remove(transaction, { id: photo, user_id: owner.id }));
    assert.equal(await find(), 0);
    await assertRepairs('search-differs');
    assert.equal(await find(), 1);
    // Writes search entries of each visibility for a public photo.
    for (const visibility of [1, 3, 2] as const) {
      const entry = { photoId: photo, userId: owner.id, visibility, text: 'harbour', ownText: '' };
      await db.kysely.transaction().execute((transaction) => db.search.put(transaction, entry));
      const { kinds } = await check({ isRepair: true });
      // The index of PostgreSQL contains the text too, which differs here in any case.
      if (visibility !== 2) assert.deepEqual(kinds, ['search-differs']);
      await assertClean();
    }
  });

  test('repairs the wrong format of a preview', async () => {
    const { kysely } = gallery.deps.db;
    const preview = async () => assertRead(await owner.get(`/api/photos/${photo}`)).preview.split('?')[0];
    const before = await preview();
    const wrong = before.endsWith('.webp') ? 'jpg' : 'webp';
    await kysely.updateTable('photos').set({ preview_extension: wrong }).where('id', '=', photo).execute();
    await assertRepairs('preview-differs');
    assert.equal(await preview(), before);
    assert.equal((await owner.get((await owner.get(`/api/photos/${photo}`)).body.data.preview)).status, 200);
  });

  test('rows of albums follow the photos again', async () => {
    const [main, other] = [await addAlbum(owner, 'Main'), await addAlbum(owner, 'Other')];
    const { id } = await addPhoto(owner, { album_id: String(main) });
    const stranger = await register(gallery, 'stranger');
    const theirs = await addAlbum(stranger, 'Theirs');
    const add = (album: number) => `INSERT INTO album_photos SELECT ${album}, id, 7, 1, 0, user_id, 0
      FROM photos WHERE id = ${id}`;
    await update(`DELETE FROM album_photos WHERE photo_id = ${id}`);
    await update(add(other));
    await update(add(theirs));
    const { findings } = await assertRepairs('album-photo-wrong');
    assert.deepEqual(findings.map(({ detail }) => detail).sort(), [
      `has another visibility or upload time in an album (album ${other})`,
      `has another visibility or upload time in an album (album ${theirs})`,
      `is in an album of another user (album ${theirs})`,
      `is not in its main album (album ${main})`,
    ]);
    const { albums } = assertRead(await owner.get(`/api/photos/${id}`));
    assert.deepEqual(
      albums.map(({ name }: { name: string }) => name),
      ['Main', 'Other'],
    );
  });

  test('a missing or invalid row for what a file says is made again, for a new reading', async () => {
    const other = await addPhoto(owner);
    await update(`DELETE FROM photo_metadata WHERE photo_id = ${photo}`);
    await update(`UPDATE photo_metadata SET corrected = '[' WHERE photo_id = ${other.id}`);
    const { findings } = await assertRepairs('metadata-row-wrong');
    assert.deepEqual(findings.map(({ subject }) => subject).sort(), [`photo ${photo}`, `photo ${other.id}`]);
    assert.equal(await countPhotosToRead(gallery.deps), 2);
  });

  test('a photo whose image has no row is reported, and stays', async () => {
    const { kysely } = gallery.deps.db;
    const { image_key } = await kysely
      .selectFrom('photos')
      .select('image_key')
      .where('id', '=', photo)
      .executeTakeFirstOrThrow();
    await kysely
      .updateTable('photos')
      .set({ image_key: createObjectKey() })
      .where('id', '=', photo)
      .execute();
    const repaired = await check({ isRepair: true, isFast: true });
    assert.deepEqual(repaired.kinds, ['image-row-missing']);
    assert.equal(repaired.left, 1);
    await kysely.updateTable('photos').set({ image_key }).where('id', '=', photo).execute();
    await assertClean();
  });
});

test('SQLite: reports rows whose foreign keys lead nowhere', async (context) => {
  const { dataDir } = gallery.deps.config;
  if (gallery.deps.db.name !== 'sqlite') return context.skip('PostgreSQL keeps foreign keys itself');
  const database = new DatabaseSync(join(dataDir, 'lightwell.db'), { timeout: 5000 });
  database.exec('PRAGMA foreign_keys = OFF');
  database.exec('INSERT INTO follows (follower_id, followee_id, create_time) VALUES (998, 999, 0)');
  const { findings, left } = await check({ isRepair: true, isFast: true });
  assert.deepEqual(
    findings.map(({ kind, detail }) => [kind, detail]),
    Array(2).fill([
      'database-damaged',
      `row ${findRow(database)} of follows refers to a missing row of users`,
    ]),
  );
  assert.equal(left, 2);
  database.exec('DELETE FROM follows WHERE follower_id = 998');
  database.close();
  await assertClean();
});

function findRow(database: DatabaseSync) {
  return database.prepare('SELECT rowid FROM follows WHERE follower_id = 998').get()!.rowid;
}
