/**
 * Tests the upgrade of a gallery from the baseline migration: no data is lost, and the schema equals that of
 * a new gallery.
 */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { DatabaseUnusable, type OpenedDatabase } from '../../../server/platform/db/dialect.ts';
import { openDatabase } from '../../../server/platform/db/index.ts';
import { migrateSchema, migrationNames } from '../../../server/platform/db/migrate.ts';
import { openPostgres } from '../../../server/platform/db/postgres/postgres.ts';
import { openSqlite } from '../../../server/platform/db/sqlite/sqlite.ts';
import { openStorage } from '../../../server/platform/storage/open.ts';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { assertTotalsMatchRows } from '../../support/assert-totals.ts';
import { type Gallery, makeTestDatabase, startGallery } from '../../support/harness.ts';
import {
  type Dump,
  dumpRows,
  makeOldGallery,
  selectCommonColumns,
  sessionToken,
  shareToken,
} from '../../support/old-gallery.ts';
import { asVisitor, createPerson, logIn, type Person } from '../../support/people.ts';
import { describeSchema } from '../../support/schema.ts';

/** Digests of the schema that commit 4f8d2cdb created by forty migrations. The baseline never changes. */
const baselineDigests = {
  sqlite: '17404f4cd43457a3a03aab7aaac4c9a12b2aab13595c0261da20d15de34b2dfa',
  postgres: 'ef5e93380143529078bda612be1186602ece2f355b6d483b1e15e0ed415c0d68',
};

const limits = {
  pool: 2,
  connectTimeoutMs: 60_000,
  statementTimeoutMs: 0,
  lockTimeoutMs: 0,
  prepares: true,
};

type Place = { dataDir: string; database: Awaited<ReturnType<typeof makeTestDatabase>> };

async function makePlace(): Promise<Place> {
  return { dataDir: await mkdtemp(join(tmpdir(), 'lightwell-upgrade-')), database: await makeTestDatabase() };
}

function open({ dataDir, database }: Place): OpenedDatabase {
  return database ? openPostgres(database.url, limits, () => {}) : openSqlite(dataDir);
}

/**
 * Opens a new connection, because a connection that has read a table before ALTER TABLE knows only its old
 * columns.
 */
async function use<Result>(place: Place, work: (db: OpenedDatabase) => Promise<Result>): Promise<Result> {
  const db = open(place);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

async function remove({ dataDir, database }: Place): Promise<void> {
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
}

describe('a gallery that is older than the baseline', () => {
  let place: Place;
  beforeEach(async () => {
    place = await makePlace();
  });
  afterEach(() => remove(place));

  const assertRefused = async (message: RegExp) => {
    const { dataDir, database } = place;
    const before = await use(place, describeSchema);
    const opened = openDatabase({ dataDir, url: database?.url, limits, onError: assert.fail });
    await assert.rejects(opened, (error) => {
      assert.ok(error instanceof DatabaseUnusable);
      assert.match(error.message, message);
      return true;
    });
    assert.deepEqual(await use(place, describeSchema), before);
  };

  test('is refused, and the commit that brings it there is named', async () => {
    await use(place, async ({ kysely }) => {
      await sql`CREATE TABLE kysely_migration
        (name varchar(255) PRIMARY KEY NOT NULL, timestamp varchar(255) NOT NULL)`.execute(kysely);
      await sql`INSERT INTO kysely_migration VALUES ('0001_core', ''), ('0039_rendition_charges', '')`.execute(
        kysely,
      );
    });
    await assertRefused(/too old for this version.*commit 4f8d2cdb94fa65d195095b7519e3114600767880/);
  });

  test('is refused while the Exif of its photos is unread', async () => {
    await use(place, makeOldGallery);
    await use(place, ({ kysely }) =>
      sql`INSERT INTO settings (name, value) VALUES ('exif unread', '7')`.execute(kysely),
    );
    await assertRefused(/not been read.*commit 4f8d2cdb/);
  });
});

/** Leaves out the keys that an upgrade folds: `test/platform/db/upgrade-words.test.ts` has its tests. */
function withoutSearchKeys(dump: Dump): Dump {
  const folded = ['name_key', 'nickname_key', 'search_text'];
  const withoutKeys = (row: Dump[string][number]) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !folded.includes(column)));
  const isKept = (row: Dump[string][number]) => row.name !== 'search texts left';
  return Object.fromEntries(
    Object.entries(dump).map(([table, rows]) => [table, rows.filter(isKept).map(withoutKeys)]),
  );
}

describe('an upgrade', () => {
  let gallery: Gallery;
  let place: Place;
  let ana: Person;
  const anybody = () => asVisitor(gallery);

  before(async () => {
    place = await makePlace();
    // Creates the photo folder first: the server does not open a gallery without the folder.
    await openStorage({ dataDir: place.dataDir });
    await use(place, makeOldGallery);
    const old = await use(place, dumpRows);
    await use(place, async (db) => {
      const digest = hash('sha256', JSON.stringify(Object.entries(await describeSchema(db)).sort()));
      assert.equal(digest, baselineDigests[db.name]);
    });
    for (const name of migrationNames) {
      await use(place, (db) => migrateSchema(db, name));
      const now = await use(place, dumpRows);
      const [before, after] = [withoutSearchKeys(old), withoutSearchKeys(now)];
      assert.deepEqual(
        selectCommonColumns(after, before),
        selectCommonColumns(before, after),
        `after ${name}`,
      );
      const { rows } = await use(place, ({ kysely }) =>
        sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(kysely),
      );
      const since = rows.map((row) => row.name).filter((name) => name >= migrationNames[0]!);
      assert.deepEqual(since.sort(), migrationNames.slice(0, migrationNames.indexOf(name) + 1));
    }
    assert.deepEqual(await use(place, describeSchema), await newSchema());
    gallery = await startGallery({ dataDir: place.dataDir, databaseUrl: place.database?.url });
    ana = createPerson(gallery, 'Ana', sessionToken, 1);
  });
  after(async () => {
    await gallery?.close();
    await remove(place);
  });

  async function newSchema() {
    const place = await makePlace();
    try {
      await use(place, migrateSchema);
      return await use(place, describeSchema);
    } finally {
      await remove(place);
    }
  }

  async function readIds(who: Person, path: string): Promise<number[]> {
    const { list, pagination } = assertRead(await who.get(path));
    assert.equal(pagination.total, list.length, path);
    return list.map(({ id }: { id: number }) => id);
  }

  test('people come in as before', async () => {
    assert.equal(assertRead(await ana.get('/api/auth/user')).username, 'Ana');
    assert.equal((await logIn(gallery, { name: 'ben', id: 2 } as Person)).id, 2);
    assert.deepEqual(await readIds(anybody(), '/api/users?keyword=änne'), [1]);
    const { stats } = assertRead(await anybody().get('/api/users/Ana'));
    assert.deepEqual(stats, { photos: 2, albums: 1, likes: 1, followers: 0, following: 0 });
  });

  test('photos show to whom they showed, and are found by their words and tags', async () => {
    assert.deepEqual(await readIds(anybody(), '/api/photos'), [6, 5, 1]);
    assert.deepEqual(await readIds(ana, '/api/photos'), [6, 5, 3, 2, 1]);
    assert.deepEqual(await readIds(anybody(), '/api/photos?keyword=secret'), []);
    assert.deepEqual(await readIds(anybody(), '/api/photos?keyword=disabled'), []);
    assert.equal((await anybody().get('/api/photos/7')).status, 403);
    assert.deepEqual(await readIds(ana, '/api/photos?keyword=secret'), [3]);
    assert.deepEqual(await readIds(anybody(), '/api/photos?keyword=UN'), [6, 1]);
    assert.deepEqual(await readIds(ana, '/api/photos?tag=SEA'), [5, 2, 1]);
    assert.deepEqual(await readIds(ana, '/api/trash'), [4]);
    const photo = assertRead(await anybody().get('/api/photos/1'));
    assert.deepEqual([photo.likes, photo.favorites, photo.comments, photo.tags], [1, 1, 0, ['Sea', 'Sun']]);
    assert.equal((await anybody().get('/api/photos/2')).status, 403);
    assert.equal(assertRead(await anybody().get(`/api/shares/${shareToken}`)).photo.id, 2);
  });

  test('previews keep their format, and what was not known before is unknown', async () => {
    const { list } = assertRead(await anybody().get('/api/photos'));
    const formats = list.map(({ id, preview }: { id: number; preview: string }) => [id, preview.slice(-12)]);
    assert.deepEqual(formats, [
      [6, 'preview.webp'],
      [5, '.preview.jpg'],
      [1, 'preview.webp'],
    ]);
    const { lens, focal_length, location } = assertRead(await ana.get('/api/photos/1'));
    assert.deepEqual([lens, focal_length, location], ['', 0, null]);
  });

  test('tags are counted', async () => {
    const counts = async (who: Person) =>
      assertRead(await who.get('/api/tags')).list.map(({ name, count }: { name: string; count: number }) => [
        name.toLowerCase(),
        count,
      ]);
    assert.deepEqual(await counts(anybody()), [
      ['sea', 2],
      ['sun', 1],
    ]);
    assert.deepEqual(await counts(ana), [
      ['sea', 3],
      ['sun', 1],
    ]);
  });

  test('albums have their photos in order, their counts and their visibility', async () => {
    assert.deepEqual(await readIds(anybody(), '/api/albums'), [1]);
    assert.deepEqual((await readIds(ana, '/api/albums')).sort(), [1, 2]);
    assert.deepEqual(await readIds(anybody(), '/api/albums?keyword=ÖFF'), [1]);
    assert.deepEqual(await readIds(ana, '/api/albums/1/photos'), [1, 6]);
    assert.equal(assertRead(await anybody().get('/api/albums/1')).photo_count, 2);
    assert.equal((await anybody().get('/api/albums/2')).status, 403);
    const { list } = assertRead(await ana.get('/api/users/ana/photos?sort=create_time&order=asc'));
    const levels = (photo: Record<string, unknown>) => [
      ...[photo.id, photo.visibility, photo.is_public, photo.effective_visibility],
    ];
    assert.deepEqual(list.map(levels), [
      [1, 'public', 1, 'public'],
      [2, 'public', 1, 'private'],
      [3, 'private', 0, 'private'],
      [6, 'public', 1, 'public'],
    ]);
    await assertAlbumsConsistent(gallery);
  });

  test('everything goes on from there', async () => {
    const ben = await logIn(gallery, { name: 'ben', id: 2 } as Person);
    for (const [who, path, body] of [
      [ana, '/api/photos/4/restore', undefined],
      [ana, '/api/albums/1/photos', { ids: [3] }],
      [ben, '/api/photos/6/like', undefined],
      [ben, '/api/photos/1/comments', { content: 'Still here' }],
      [ben, '/api/users/1/follow', undefined],
      [ana, '/api/albums', { name: 'New' }],
    ] as const) {
      const answer = await who.post(path, body);
      assert.equal(answer.status, 200, `${path}: ${answer.bytes}`);
    }
    assert.deepEqual(await readIds(ana, '/api/albums/1/photos'), [1, 4, 6, 3]);
    assert.equal(assertRead(await ana.get('/api/notifications')).unread, 3);
    assert.deepEqual(await readIds(ben, '/api/feed'), [6, 4, 1]);
    assert.equal((await ana.put('/api/albums/1', { is_public: 0 })).status, 200);
    assert.deepEqual(await readIds(anybody(), '/api/photos'), [5]);
    await assertAlbumsConsistent(gallery);
    await assertTotalsMatchRows(gallery);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
