/**
 * Kills the server while the photos of a large album are hidden or shown. After the restart, acknowledged
 * changes must hold at once, and in the end the rows must agree.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { asLibraryWriter } from '../../../server/gallery/library/tables.ts';
import { type Database, openDatabase } from '../../../server/platform/db/index.ts';
import { Visibility } from '../../../server/platform/db/states.ts';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, makeTestDatabase } from '../../support/harness.ts';
import { addPhoto, asVisitor, createPerson, type Person, register } from '../../support/people.ts';
import { addMissingAlbumRows, addMissingCounters } from '../../support/photo-counters.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';

/** Number of copied photos: together with the uploaded photo, the job needs three batches. */
const copies = 2999;
const withinMs = 120_000;

describe('a large album whose server is killed while its photos follow', () => {
  let dataDir: string;
  let database: Awaited<ReturnType<typeof makeTestDatabase>>;
  let server: ServerProcess;
  let ann: Person;
  let albumId: number;
  let photoId: number;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-album-kill-'));
    database = await makeTestDatabase();
    await start();
    ann = await register(server, 'ann');
    albumId = assertWritten(await ann.post('/api/albums', { name: 'Large' })).id;
    photoId = (await addPhoto(ann, { tags: 'sea', album_id: String(albumId) })).id;
    await server.end('SIGTERM');
    await onDatabase(fillAlbum);
    await start();
  });
  after(async () => {
    await server?.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
    await database?.drop();
  });

  async function start(): Promise<void> {
    server = await startServer({ dataDir, environment: database ? { DATABASE_URL: database.url } : {} });
    if (ann) ann = createPerson(server, ann.name, ann.token, ann.id);
  }

  /** Opens the database of a gallery whose server has ended, and runs `work` on it. */
  async function onDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    const db = await openDatabase({ dataDir, url: database?.url, onError: () => {} });
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  }

  /** Fills the album with photo rows without pictures, and updates the counts like the library does. */
  async function fillAlbum({ kysely }: Database): Promise<void> {
    await kysely.transaction().execute(async (transaction) => {
      const write = asLibraryWriter(transaction);
      const { id: _, ...row } = await transaction
        .selectFrom('photos')
        .selectAll()
        .where('id', '=', photoId)
        .executeTakeFirstOrThrow();
      const { photo_id: __, ...tag } = await transaction
        .selectFrom('photo_tags')
        .selectAll()
        .where('photo_id', '=', photoId)
        .executeTakeFirstOrThrow();
      for (let from = 0; from < copies; from += 100) {
        const rows = Array.from({ length: Math.min(100, copies - from) }, () => row);
        const added = await write.insertInto('photos').values(rows).returning('id').execute();
        const tags = added.map(({ id }) => ({ ...tag, photo_id: id }));
        await write.insertInto('photo_tags').values(tags).execute();
      }
      await addMissingCounters(transaction);
      await addMissingAlbumRows(transaction);
      const n = copies + 1;
      await write.updateTable('photo_totals').set({ n }).where('n', '=', 1).execute();
      await write.updateTable('tag_totals').set({ n }).where('n', '=', 1).execute();
    });
  }

  async function setPublic(is_public: 0 | 1): Promise<void> {
    assertWritten(await ann.put(`/api/albums/${albumId}`, { is_public }));
  }

  function rowsWith(visibility: Visibility): Promise<number> {
    return onDatabase(async ({ kysely }) => {
      const { n } = await kysely
        .selectFrom('photos')
        .select((is) => is.fn.countAll<number>().as('n'))
        .where('visibility', '=', visibility)
        .executeTakeFirstOrThrow();
      return Number(n);
    });
  }

  async function assertHidden(thumb: string): Promise<void> {
    const visitor = asVisitor(server);
    for (const path of ['/api/photos', '/api/photos?limit=100&sort=likes', `/api/users/${ann.id}/photos`]) {
      assert.deepEqual(assertRead(await visitor.get(path)).list, [], path);
    }
    assert.equal(assertRead(await visitor.get('/api/photos')).pagination.total, 0);
    assert.deepEqual(assertRead(await visitor.get('/api/photos?tag=sea')).list, []);
    for (const id of [photoId, photoId + copies]) {
      assertRefused(await visitor.get(`/api/photos/${id}`), 403, 20004);
    }
    assert.equal((await visitor.get(thumb)).status, 403);
    assert.equal(assertRead(await ann.get('/api/photos')).pagination.total, copies + 1);
  }

  /** Returns the count of a tag, which the server derives from the visibility of the rows. */
  async function tagged(viewer: Person): Promise<number> {
    const { list } = assertRead(await viewer.get('/api/tags'));
    return list.find(({ name }: { name: string }) => name === 'sea')?.count ?? 0;
  }

  async function assertRowsSay(visibility: Visibility): Promise<void> {
    await server.end('SIGTERM');
    assert.equal(await rowsWith(visibility), copies + 1);
    await onDatabase((db) => assertAlbumsConsistent({ deps: { db } } as Gallery));
    await start();
  }

  test('is hidden from the answer on', async (context) => {
    const { thumb } = assertRead(await asVisitor(server).get(`/api/photos/${photoId}`));
    assert.equal((await asVisitor(server).get(thumb)).status, 200);
    await setPublic(0);
    for (let kills = 0; kills < 2; kills++) {
      assert.equal(await server.end('SIGKILL'), 'SIGKILL');
      context.diagnostic(`${await rowsWith(Visibility.public)} rows say public`);
      await start();
      await assertHidden(thumb);
    }
    await eventually(async () => {
      await assertHidden(thumb);
      assert.equal(await tagged(asVisitor(server)), 0);
    }, withinMs);
    await assertRowsSay(Visibility.private);
    await assertHidden(thumb);
  });

  test('is shown in the end', async (context) => {
    await setPublic(1);
    assert.equal(await server.end('SIGKILL'), 'SIGKILL');
    context.diagnostic(`${await rowsWith(Visibility.private)} rows say private`);
    await start();
    await eventually(async () => assert.equal(await tagged(asVisitor(server)), copies + 1), withinMs);
    await assertRowsSay(Visibility.public);
    assert.equal(assertRead(await asVisitor(server).get('/api/photos')).pagination.total, copies + 1);
  });
});
