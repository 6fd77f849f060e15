/** Compares the feed with a model: every page, with photos of any age, and only photos that are public or for members. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { asLibraryWriter } from '../../../server/gallery/library/tables.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { addMissingCounters } from '../../support/photo-counters.ts';

interface Item {
  id: number;
  user: { id: number };
}

describe('the feed', () => {
  let gallery: Gallery;
  let reader: Person;
  let ann: Person;
  let bea: Person;
  let cyd: Person;

  before(async () => {
    gallery = await startGallery();
    reader = await register(gallery, 'reader');
    ann = await register(gallery, 'ann');
    bea = await register(gallery, 'bea');
    cyd = await register(gallery, 'cyd');
  });
  after(() => gallery?.close());

  const readFeed = async (who: Person, query = '') => assertRead(await who.get(`/api/feed?${query}`));
  const idsIn = (page: { list: Item[] }) => page.list.map(({ id }) => id);
  const follow = (whom: Person) => reader.post(`/api/users/${whom.id}/follow`);

  test('is empty for a user who follows no one, and refused without a token', async () => {
    await addPhoto(ann);
    assert.deepEqual(await readFeed(reader), {
      list: [],
      pagination: { page: 1, limit: 20, total: 0, pages: 0 },
    });
    assertRefused(await asVisitor(gallery).get('/api/feed'), 401, 401);
    assertRefused(await reader.get('/api/feed?limit=0'), 400, 400, ['limit']);
  });

  test('shows public photos of those one follows, the newest first', async () => {
    await follow(ann);
    const mine = await addPhoto(reader, { title: 'mine' });
    const [open, closed, others] = [
      await addPhoto(ann, { title: 'open' }),
      await addPhoto(ann, { is_public: '0' }),
      await addPhoto(bea),
    ];
    const page = await readFeed(reader);
    assert.equal(page.list[0].id, open.id);
    assert.deepEqual([page.list.length, page.pagination.total], [2, 2]);
    for (const { id } of [mine, closed, others]) assert.ok(!idsIn(page).includes(id));
    assert.deepEqual(Object.keys(page.list[0]), Object.keys((await listed())[0]!));
    assertDone(await ann.delete(`/api/photos/${open.id}`));
    assert.ok(!idsIn(await readFeed(reader)).includes(open.id));
    assertDone(await ann.post(`/api/photos/${open.id}/restore`));
    assertDone(await ann.put(`/api/photos/${open.id}`, { is_public: 0 }));
    assert.equal((await readFeed(reader)).pagination.total, 1);
    await follow(ann);
    assert.equal((await readFeed(reader)).pagination.total, 0);
  });

  test('shows photos for members of those one follows, until their album becomes private', async () => {
    const made = await ann.post('/api/albums', { name: 'Club', visibility: 'members' });
    const album = assertWritten(made).id;
    const [direct, inAlbum] = [
      await addPhoto(ann, { visibility: 'members' }),
      await addPhoto(ann, { album_id: String(album) }),
    ];
    await follow(ann);
    const before = await readFeed(reader);
    assert.deepEqual(idsIn(before).slice(0, 2), [inAlbum.id, direct.id]);
    assert.equal(before.pagination.total, before.list.length);
    assert.equal(before.list[0].effective_visibility, 'members');
    assertWritten(await ann.put(`/api/albums/${album}`, { visibility: 'private' }));
    const later = await readFeed(reader);
    assert.deepEqual([later.list[0].id, later.pagination.total], [direct.id, before.pagination.total - 1]);
    for (const { id } of [direct, inAlbum]) assertDone(await ann.delete(`/api/photos/${id}`));
    await follow(ann);
  });

  const listed = async (): Promise<Item[]> =>
    assertRead(await asVisitor(gallery).get('/api/photos?limit=100')).list;

  /** Inserts thousands of photo rows without pictures. `spread` returns the age of each photo in seconds. */
  async function publish(owner: Person, count: number, spread: (n: number) => number): Promise<void> {
    // Every third photo is for members.
    const isForMembers = (n: number) => n % 3 === 2;
    const { db, clock } = gallery.deps;
    const now = clock();
    const template = await db.kysely
      .selectFrom('photos')
      .selectAll()
      .where('visibility', '=', 2)
      .orderBy('id')
      .executeTakeFirstOrThrow();
    const { id: _, ...row } = template;
    await db.kysely.transaction().execute(async (transaction) => {
      for (let from = 0; from < count; from += 100) {
        const rows = Array.from({ length: Math.min(100, count - from) }, (_, n) => ({
          ...row,
          ...(isForMembers(from + n) && { level: 2 as const, visibility: 3 as const }),
          user_id: owner.id,
          album_id: null,
          create_time: now - spread(from + n),
        }));
        await asLibraryWriter(transaction).insertInto('photos').values(rows).execute();
      }
      await addMissingCounters(transaction);
      const forMembers = Math.floor(count / 3);
      for (const user_id of [0, owner.id]) {
        for (const [visibility, n] of [
          [2, count - forMembers],
          [3, forMembers],
        ] as const) {
          await asLibraryWriter(transaction)
            .insertInto('photo_totals')
            .values({ user_id, visibility, n })
            .onConflict((conflict) =>
              conflict.columns(['user_id', 'visibility']).doUpdateSet((is) => ({
                n: is('photo_totals.n', '+', n),
              })),
            )
            .execute();
        }
      }
    });
  }

  async function assertFeed(): Promise<void> {
    const expected = await gallery.deps.db.kysely
      .selectFrom('photos')
      .innerJoin('follows', 'follows.followee_id', 'photos.user_id')
      .select('photos.id')
      .where('follows.follower_id', '=', reader.id)
      .where('visibility', 'in', [2, 3])
      .orderBy('photos.create_time', 'desc')
      .orderBy('photos.id', 'desc')
      .execute();
    const pages = Math.ceil(expected.length / 100);
    for (const [limit, page] of [
      [20, 1],
      [20, 2],
      [7, 3],
      [100, Math.ceil(pages / 2)],
      [100, pages],
      [100, pages + 1],
    ] as const) {
      const answer = await readFeed(reader, `limit=${limit}&page=${page}`);
      assert.equal(answer.pagination.total, expected.length);
      assert.deepEqual(
        idsIn(answer),
        expected.slice((page - 1) * limit, page * limit).map(({ id }) => id),
        `limit ${limit}, page ${page}`,
      );
    }
  }

  test('is right where followees own little, much, only what is old, or all at one second', async () => {
    await publish(bea, 3000, (n) => n * 3);
    await follow(ann);
    await assertFeed();
    await follow(bea);
    await assertFeed();
    await follow(bea);
    // Adds old photos only, so that none is among the newest thousand of the gallery.
    await publish(cyd, 2500, (n) => 1_000_000 + n);
    await follow(cyd);
    await assertFeed();
    // Adds photos with the same time, so that the ids decide the order.
    await publish(cyd, 1500, () => 500);
    await assertFeed();
    await follow(bea);
    await assertFeed();
  });

  test('reads from each of many followees no more than the page shows', async () => {
    for (let n = 0; n < 25; n++) {
      const friend = await register(gallery, `friend${n}`);
      await follow(friend);
      await publish(friend, n === 3 ? 400 : (n % 4) * 2, (at) => (n === 3 ? at : n * 50 + at * 1000));
    }
    await assertFeed();
    await follow(bea);
    await follow(cyd);
    await assertFeed();
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
