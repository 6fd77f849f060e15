/**
 * Tests counts while albums are hidden, shown, moved and deleted in any order and at once. Every stored count
 * must equal the counted rows.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createRandom } from '../../../bench/words.ts';
import { addToPhotoTotals } from '../../../server/gallery/library/counts.ts';
import { addToPhotoGroups } from '../../../server/gallery/library/groups.ts';
import { asLibraryWriter } from '../../../server/gallery/library/tables.ts';
import { insertTags } from '../../../server/gallery/library/tags.ts';
import { checkPhotoTags } from '../../../server/tools/check/copies.ts';
import { checkCounters } from '../../../server/tools/check/counters.ts';
import { checkTotals } from '../../../server/tools/check/totals.ts';
import { checkVisibility } from '../../../server/tools/check/visibility.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { addMissingAlbumRows, addMissingCounters } from '../../support/photo-counters.ts';
import { createJpeg } from '../../support/pictures.ts';
import { runChecks } from '../../support/run-checks.ts';

let gallery: Gallery;
let ann: Person;
let bea: Person;
let stranger: Person;

before(async () => {
  gallery = await startGallery();
  ann = await register(gallery, 'ann');
  bea = await register(gallery, 'bea');
  stranger = asVisitor(gallery);
});
after(() => gallery.close());

test('random changes keep the counts of photos, tags, albums and totals exact', async () => {
  const random = createRandom(20261121);
  const below = (n: number) => Math.floor(random() * n);
  const picture = await createJpeg({ width: 16, height: 16 });
  const owners: { person: Person; photos: number[]; albums: number[] }[] = [];
  for (const person of [ann, bea]) {
    const photos: number[] = [];
    for (let n = 0; n < 12; n++) {
      const tags = ['shared', ...(n % 2 ? ['odd'] : []), `${person.name}${n}`].join(',');
      photos.push((await addPhoto(person, { tags, is_public: n % 4 ? '1' : '0' }, picture)).id);
    }
    const albums: number[] = [];
    for (let n = 0; n < 4; n++) albums.push(await addAlbum(person, `Album ${n}`));
    owners.push({ person, photos, albums });
  }

  const pick = <Item>(items: Item[]): Item => items[below(items.length)]!;
  const levels = ['private', 'members', 'public'];
  const change = () => {
    const { person, photos, albums } = pick(owners);
    const album = pick(albums);
    const some = [pick(photos), pick(photos), pick(photos)];
    const changes = [
      () => person.put(`/api/albums/${album}`, { visibility: pick(levels) }),
      () => person.put(`/api/albums/${album}`, { is_public: below(2) }),
      () => person.put(`/api/albums/${album}`, { parent_id: pick([0, ...albums]) }),
      () => person.post(`/api/albums/${album}/photos`, { ids: some }),
      () => person.send('DELETE', `/api/albums/${album}/photos`, json({ ids: some })),
      () =>
        person.put(`/api/photos/${some[0]}`, { visibility: pick(levels), tags: ['shared', `x${below(3)}`] }),
      () =>
        person.post('/api/photos/batch', {
          ids: some,
          action: pick(['delete', 'restore', 'hide', 'publish', 'visibility']),
          visibility: 'members',
        }),
      async () => {
        const answer = await person.delete(`/api/albums/${album}`);
        const { data } = (await person.post('/api/albums', { name: 'Again', parent_id: 0 })).body;
        albums.splice(albums.indexOf(album), 1, data.id);
        return answer;
      },
    ];
    return pick(changes)();
  };
  let done = 0;
  for (let round = 0; round < 25; round++) {
    const answers = await Promise.all(Array.from({ length: 1 + below(5) }, change));
    for (const { status, body } of answers) {
      done += Number(status === 200);
      assert.ok(status < 500, `${status}: ${JSON.stringify(body)}`);
    }
    await assertExact();
  }
  assert.ok(done > 40, `${done} changes were made`);
  assert.deepEqual(gallery.complaints(), []);
});

test('hides an album with more photos than a statement has parameters from every list at once', async () => {
  const album = await addAlbum(ann, 'Many');
  const { id } = await addPhoto(ann, { tags: 'many,shared', title: 'one of many', album_id: String(album) });
  await copyPhoto(id, 1500);
  await assertExact();
  const readTotal = async (person: Person, path: string) =>
    assertRead(await person.get(path)).pagination.total;
  const before = await readTotal(stranger, '/api/photos');

  await ann.put(`/api/albums/${album}`, { is_public: 0 });
  await assertExact();
  assert.equal(await readTotal(stranger, '/api/photos'), before - 1501);
  assert.equal(await readTotal(stranger, '/api/photos?tag=many'), 0);
  assert.equal(await readTotal(stranger, '/api/photos?keyword=one+of+many'), 0);
  assert.equal(await readTotal(ann, '/api/photos?tag=many'), 1501);
  assert.equal((await stranger.get(`/api/albums/${album}/photos`)).status, 403);

  await ann.delete(`/api/albums/${album}`);
  await assertExact();
  assert.equal(await readTotal(stranger, '/api/photos'), before - 1501, 'leaving the album shows nothing');
  assert.equal(await readTotal(ann, '/api/photos?tag=many&is_public=0'), 1501);
});

/** Adds copies of a photo to the database, with tags and counts, because real uploads would take minutes. */
async function copyPhoto(id: number, times: number): Promise<void> {
  await gallery.deps.db.kysely.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('photos')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { id: _, ...row } = { ...found, original_key: '' };
    for (let n = 0; n < times; n++) {
      const photo = await asLibraryWriter(transaction)
        .insertInto('photos')
        .values(row)
        .returningAll()
        .executeTakeFirstOrThrow();
      await insertTags(gallery.deps.db, transaction, photo, JSON.parse(row.tags) as string[]);
    }
    await addMissingCounters(transaction);
    await addMissingAlbumRows(transaction);
    await addToPhotoTotals(transaction, row.user_id, { 2: times });
    const copies = sql`SELECT id FROM photos WHERE album_id = ${row.album_id} AND original_key = ''`;
    await addToPhotoGroups(gallery.deps.db, transaction, copies, 1);
  });
}

/** Asserts that `lightwell check` would find nothing. */
async function assertExact(): Promise<void> {
  assert.deepEqual(await runChecks(gallery, checkVisibility, checkPhotoTags, checkCounters, checkTotals), []);
}

function json(body: object) {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
