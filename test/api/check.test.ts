/** A gallery is damaged in one way at a time: the check finds exactly that, changes nothing, and repairs it when told. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type CheckOptions, checkGallery, type Outcome } from '../../server/check/check.ts';
import type { Finding } from '../../server/check/findings.ts';
import type { ImageRow } from '../../server/db/tables.ts';
import { objectsOf } from '../../server/files/objects.ts';
import { newKey, objectName } from '../../server/storage/keys.ts';
import { assertAlbumsHold } from '../albums.ts';
import { assertRead, assertWritten } from '../answers.ts';
import { lightwell } from '../command.ts';
import { type Gallery, startGallery } from '../harness.ts';
import { addAlbum, addPhoto, nobody, type Person, register } from '../people.ts';
import { jpeg, jpegWithExif, landmarks } from '../pictures.ts';

const day = 86_400;

let gallery: Gallery;
let owner: Person;
let friend: Person;
/** In a private album, with tags, likes and comments; edited twice. */
let photo: number;
let album: number;
let comment: number;

before(async () => {
  gallery = await startGallery();
  owner = await register(gallery, 'owner');
  friend = await register(gallery, 'friend');
  const outer = await addAlbum(gallery, owner, 'Outer');
  album = await addAlbum(gallery, owner, 'Inner', 1, outer);
  const fields = { title: 'Harbour', tags: 'sea, Boats', album_id: String(album) };
  photo = (await addPhoto(owner, fields, await jpegWithExif())).id;
  await addPhoto(owner, { is_public: '0', tags: 'sea' }, await landmarks());
  await owner.delete(`/api/photos/${(await addPhoto(owner)).id}`);
  for (const who of [owner, friend]) assertWritten(await who.post(`/api/photos/${photo}/like`));
  assertWritten(await friend.post(`/api/photos/${photo}/favorite`));
  const said = await friend.post(`/api/photos/${photo}/comments`, { content: 'Ahoy' });
  comment = said.body.data.id;
  await owner.post(`/api/photos/${photo}/comments`, { content: 'Thanks', parent_id: comment });
  await owner.post(`/api/comments/${comment}/like`);
  await friend.post('/api/users/owner/follow');
  for (const angle of [90, 180]) {
    const step = { action: 'rotate', params: { angle } };
    assert.equal((await owner.post(`/api/photos/${photo}/edit`, step)).body.code, 0);
  }
});
after(() => gallery.close());

interface Checked extends Outcome {
  findings: Finding[];
  kinds: string[];
}

async function check(options: Partial<CheckOptions> = {}): Promise<Checked> {
  const findings: Finding[] = [];
  const outcome = await checkGallery(gallery.deps, {
    isFast: false,
    isRepair: false,
    jobs: 2,
    progress: { begin: () => {}, step: () => {} },
    onFinding: (finding) => findings.push(finding),
    ...options,
  });
  return { ...outcome, findings, kinds: [...new Set(findings.map(({ kind }) => kind))].sort() };
}

async function assertClean(): Promise<void> {
  const { findings } = await check();
  assert.deepEqual(findings, []);
}

/** Finds these kinds, twice over and so without having changed anything; then repairs all of them. */
async function assertRepairs(...kinds: string[]): Promise<Checked> {
  const first = await check();
  assert.deepEqual(first.kinds, kinds);
  assert.equal(first.repaired, 0);
  assert.equal(first.left, first.findings.length);
  const second = await check();
  assert.deepEqual(
    second.findings.map(({ subject, detail }) => [subject, detail]),
    first.findings.map(({ subject, detail }) => [subject, detail]),
  );
  const repaired = await check({ isRepair: true });
  assert.deepEqual([repaired.kinds, repaired.left], [kinds, 0]);
  await assertClean();
  return first;
}

function versionsOf(id: number): Promise<ImageRow[]> {
  return gallery.deps.db.kysely
    .selectFrom('images')
    .selectAll()
    .where('photo_id', '=', id)
    .orderBy('create_time')
    .orderBy('edit_id')
    .execute();
}

/** The object of one kind of the version that was uploaded, or that is shown. */
async function objectOf(kind: string, which: 'original' | 'shown'): Promise<string> {
  const { image_key, original_key } = await gallery.deps.db.kysely
    .selectFrom('photos')
    .select(['image_key', 'original_key'])
    .where('id', '=', photo)
    .executeTakeFirstOrThrow();
  const key = which === 'shown' ? image_key : original_key;
  const version = (await versionsOf(photo)).find((image) => image.key === key)!;
  return objectsOf(version).find((name) => name.includes(`.${kind}.`))!;
}

async function bytesOf(name: string): Promise<Buffer> {
  return (await gallery.deps.storage.read(name))!;
}

const put = (name: string, source: Buffer) => gallery.deps.storage.put([{ name, source }]);

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
    const { path } = assertRead(await nobody(gallery).get(`/api/photos/${photo}`));
    assert.equal((await nobody(gallery).get(path)).status, 200);
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
    const rows = await versionsOf(photo);
    await gallery.deps.storage.remove(name);
    await gallery.deps.storage.remove(await objectOf('thumb', 'original'));
    const repaired = await check({ isRepair: true });
    assert.deepEqual(repaired.kinds, ['original-missing', 'rendition-missing']);
    assert.deepEqual([repaired.repaired, repaired.left], [0, 2]);
    assert.deepEqual(await versionsOf(photo), rows);
    assert.equal((await owner.get(`/api/photos/${photo}`)).status, 200);

    await put(name, bytes);
    await assertRepairs('rendition-missing');
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

  test('an object without a row is reported after the grace period, and only then removed', async () => {
    const name = objectName(newKey(), 'original', 'jpg');
    await put(name, await jpeg());
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
      .set({ avatar: objectName(newKey(), 'avatar', 'webp') })
      .where('id', '=', friend.id)
      .execute();
    assert.deepEqual((await check({ isRepair: true })).kinds, ['avatar-missing']);
    await kysely.updateTable('users').set({ avatar: '' }).where('id', '=', friend.id).execute();
    await assertClean();
  });
});

describe('removals', () => {
  test('of an object in use end, before the sweep carries them out', async () => {
    const name = await objectOf('original', 'original');
    await gallery.deps.db.kysely.insertInto('removals').values({ object: name, due_time: 0 }).execute();
    const { kinds, repaired } = await check({ isRepair: true });
    // Overdue as well, as long as it stands there.
    assert.deepEqual([kinds, repaired], [['live-removal'], 1]);
    await assertClean();
    assert.ok(await gallery.deps.storage.stat(name));
  });

  test('that nobody carries out are overdue after a day', async () => {
    const name = objectName(newKey(), 'thumb', 'webp');
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

describe('rows', () => {
  const update = (statement: string) => sql.raw(statement).execute(gallery.deps.db.kysely);

  test('counters are counted again', async () => {
    await update(
      `UPDATE photos SET likes = 7, favorites = 0, comments = 9, comment_threads = 5 WHERE id = ${photo}`,
    );
    await update(`UPDATE comments SET likes = 3, reply_count = 0 WHERE id = ${comment}`);
    await update('UPDATE users SET followers = followers + 1, following = 4, used_bytes = 5');
    await update('UPDATE albums SET photo_count = 8, public_count = 8');
    const { findings } = await assertRepairs('counter-drifted');
    assert.deepEqual(findings.map(({ subject }) => subject.split(' ')[0]).sort(), [
      'album',
      'album',
      'comment',
      'photo',
      'user',
      'user',
    ]);
    assert.equal(
      findings.find(({ subject }) => subject === `photo ${photo}`)!.detail,
      'likes says 7 instead of 2, favorites says 0 instead of 1, ' +
        'comments says 9 instead of 2, comment_threads says 5 instead of 1',
    );
    const { likes, comments } = assertRead(await owner.get(`/api/photos/${photo}`));
    assert.deepEqual([likes, comments], [2, 2]);
    await assertAlbumsHold(gallery);
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
    await update('UPDATE notification_totals SET unread = unread + 1');
    await assertRepairs('total-drifted');
    const { list } = assertRead(await nobody(gallery).get('/api/tags'));
    assert.deepEqual(list.map(({ name, count }: { name: string; count: number }) => [name, count]).sort(), [
      ['Boats', 1],
      ['sea', 1],
    ]);
    assert.equal(assertRead(await nobody(gallery).get('/api/photos')).pagination.total, 1);
  });

  test('visibility follows from albums and photos again, down to tags and search', async () => {
    await update(`UPDATE albums SET is_public = 0 WHERE name = 'Outer'`);
    const wrong = await check();
    assert.deepEqual(wrong.kinds, ['visibility-wrong']);
    await assertRepairs('visibility-wrong');
    assert.equal((await nobody(gallery).get(`/api/photos/${photo}`)).body.code, 20004);
    await assertAlbumsHold(gallery);
    await update(`UPDATE albums SET is_public = 1, visibility = 2 WHERE name = 'Outer'`);
    await assertRepairs('visibility-wrong');
    await update(`UPDATE photos SET visibility = 1 WHERE id = ${photo}`);
    const { kinds } = await check({ isRepair: true });
    assert.ok(kinds.includes('visibility-wrong'));
    await check({ isRepair: true });
    await assertClean();
    await assertAlbumsHold(gallery);
    assert.equal((await nobody(gallery).get('/api/photos?keyword=harbour')).body.data.pagination.total, 1);
  });

  test("the tags' rows are made again", async () => {
    await update(`DELETE FROM photo_tags WHERE photo_id = ${photo} AND name_key = 'boats'`);
    await assertRepairs('tags-differ');
    assert.equal((await nobody(gallery).get('/api/photos?tag=boats')).body.data.pagination.total, 1);
  });

  test('the search index is filled again', async () => {
    const find = async () =>
      (await nobody(gallery).get('/api/photos?keyword=harbour')).body.data.pagination.total;
    const { db } = gallery.deps;
    await db.kysely
      .transaction()
      .execute((transaction) => db.search.remove(transaction, { id: photo, user_id: owner.id }));
    assert.equal(await find(), 0);
    await assertRepairs('search-differs');
    assert.equal(await find(), 1);
    // A private entry of a public photo, and the other way round.
    for (const visibility of [1, 2]) {
      const entry = { photoId: photo, userId: owner.id, visibility, text: 'harbour' };
      await db.kysely.transaction().execute((transaction) => db.search.put(transaction, entry));
      const { kinds } = await check({ isRepair: true });
      if (visibility === 1) assert.deepEqual(kinds, ['search-differs']);
      await assertClean();
    }
  });

  test('a photo whose image has no row is reported, and stays', async () => {
    const { kysely } = gallery.deps.db;
    const { image_key } = await kysely
      .selectFrom('photos')
      .select('image_key')
      .where('id', '=', photo)
      .executeTakeFirstOrThrow();
    await kysely.updateTable('photos').set({ image_key: newKey() }).where('id', '=', photo).execute();
    const repaired = await check({ isRepair: true, isFast: true });
    assert.deepEqual(repaired.kinds, ['image-row-missing']);
    assert.equal(repaired.left, 1);
    await kysely.updateTable('photos').set({ image_key }).where('id', '=', photo).execute();
    await assertClean();
  });
});

test('SQLite: rows whose foreign keys lead nowhere', async (context) => {
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
      `row ${rowOf(database)} of follows names a row of users that is gone`,
    ]),
  );
  assert.equal(left, 2);
  database.exec('DELETE FROM follows WHERE follower_id = 998');
  database.close();
  await assertClean();
});

function rowOf(database: DatabaseSync) {
  return database.prepare('SELECT rowid FROM follows WHERE follower_id = 998').get()!.rowid;
}

describe('the command', () => {
  test('ends with 0 when all is well, 1 when it is not, and 2 when nobody knows', async () => {
    const sound = await lightwell(gallery, ['check']);
    assert.deepEqual([sound.code, sound.out], [0, 'Everything is there and fits together.\n'], sound.error);

    await gallery.deps.storage.remove(await objectOf('thumb', 'original'));
    const found = await lightwell(gallery, ['check', '--fast']);
    assert.equal(found.code, 1);
    assert.match(found.out, /^a rendition is missing: [0-9a-f]{32}\.thumb\.webp \(photo \d+.*\)$/m);
    assert.match(found.out, /Nothing was changed/);

    const repaired = await lightwell(gallery, ['check', '--repair', '--json']);
    assert.equal(repaired.code, 0, repaired.error);
    const [finding, summary] = repaired.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual([finding.kind, finding.repaired], ['rendition-missing', true]);
    assert.deepEqual(summary, { found: { 'rendition-missing': 1 }, repaired: 1, left: 0 });
    assert.match(repaired.error, /"repaired"/, 'each repair is logged');
    await assertClean();

    const elsewhere = { deps: { config: { dataDir: '/dev/null/nowhere' } } } as unknown as Gallery;
    const unknown = await lightwell(elsewhere, ['check']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.error, /^error: The storage/);
    assert.equal((await lightwell(gallery, ['check', '--jobs', '0'])).code, 1);
  });
});

describe('while the gallery is used', () => {
  test('what comes and goes meanwhile is no finding', async () => {
    let isOver = false;
    const picture = await jpeg({ width: 64, height: 64 });
    const use = async (person: Person) => {
      while (!isOver) {
        const { id } = await addPhoto(person, { tags: 'busy, sea', title: 'Busy' }, picture);
        await owner.post(`/api/photos/${id}/like`);
        await friend.post(`/api/photos/${id}/comments`, { content: 'Quick' });
        await person.put(`/api/photos/${id}`, { is_public: 0, tags: ['other'] });
        await person.post(`/api/photos/${id}/edit`, { action: 'rotate', params: { angle: 90 } });
        await person.delete(`/api/photos/${id}`);
        await person.delete(`/api/trash/${id}`);
      }
    };
    const working = Promise.all([use(owner), use(friend)]);
    try {
      for (let round = 0; round < 5; round++) {
        assert.deepEqual((await check({ isRepair: round % 2 === 1 })).findings, []);
      }
    } finally {
      isOver = true;
      await working;
    }
  });
});
