/** A gallery of the first version, brought up to date: nothing is lost, and all that is counted is right. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { moveLibraries } from '../../../server/gallery/library/account-moves.ts';
import { chargedBytes } from '../../../server/gallery/photos/upload/quota.ts';
import type { OpenedDatabase } from '../../../server/platform/db/dialect.ts';
import { migrate, migrationNames } from '../../../server/platform/db/migrate.ts';
import { openPostgres } from '../../../server/platform/db/postgres/postgres.ts';
import { openSqlite } from '../../../server/platform/db/sqlite/sqlite.ts';
import { openStorage } from '../../../server/platform/storage/open.ts';
import { assertAlbumsHold } from '../../support/albums.ts';
import { assertRead } from '../../support/answers.ts';
import { type Gallery, makeDatabase, startGallery } from '../../support/harness.ts';
import { dumpOldTables, fillOldGallery, sessionToken, shareToken } from '../../support/old-gallery.ts';
import { anonymous, logIn, type Person, person } from '../../support/people.ts';

const [first, ...later] = migrationNames as [string, ...string[]];

for (const way of ['step by step', 'at once'] as const) {
  describe(`an upgrade ${way}`, () => {
    let gallery: Gallery;
    let dataDir: string;
    let database: Awaited<ReturnType<typeof makeDatabase>>;
    let ana: Person;
    const anybody = () => anonymous(gallery);

    before(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'lightwell-upgrade-'));
      database = await makeDatabase();
      // The folder of the photos comes before the database: without it, a gallery is not opened.
      await openStorage({ dataDir });
      const db = open();
      await migrate(db, first);
      await fillOldGallery(db);
      const old = await dumpOldTables(db);
      for (const name of way === 'at once' ? [later.at(-1)!] : later) {
        await migrate(db, name);
        if (name >= '0012') {
          // From here on edited versions count, too.
          const ana = old.users!.find(({ username }) => username === 'Ana')!;
          ana.used_bytes = 600;
        }
        if (name >= '0039') {
          // Every image is charged for its renditions, too.
          for (const [index, images] of [6, 1, 1].entries()) {
            old.users![index]!.used_bytes = chargedBytes(
              Array.from({ length: images }, () => ({ size: 100 })),
            );
          }
        }
        assert.deepEqual(await dumpOldTables(db, old), old, `after ${name}`);
        const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db.kysely);
        assert.deepEqual(
          rows.map((row) => row.name).sort(),
          migrationNames.slice(0, migrationNames.indexOf(name) + 1),
        );
      }
      await db.close();
      gallery = await startGallery({ dataDir, databaseUrl: database?.url });
      ana = person(gallery, 'Ana', sessionToken, 1);
      await moveLibraries(gallery.deps);
    });
    after(async () => {
      await gallery?.close();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    });

    function open(): OpenedDatabase {
      const limits = {
        pool: 2,
        connectTimeoutMs: 5000,
        statementTimeoutMs: 0,
        lockTimeoutMs: 0,
        prepares: true,
      };
      return database ? openPostgres(database.url, limits, () => {}) : openSqlite(dataDir);
    }

    async function idsOf(who: Person, path: string): Promise<number[]> {
      const { list, pagination } = assertRead(await who.get(path));
      assert.equal(pagination.total, list.length, path);
      return list.map(({ id }: { id: number }) => id);
    }

    test('people come in as before', async () => {
      assert.equal(assertRead(await ana.get('/api/auth/user')).username, 'Ana');
      assert.equal((await logIn(gallery, { name: 'ben', id: 2 } as Person)).id, 2);
      assert.deepEqual(await idsOf(anybody(), '/api/users?keyword=änne'), [1]);
      const { stats } = assertRead(await anybody().get('/api/users/Ana'));
      assert.deepEqual(stats, { photos: 2, albums: 1, likes: 1, followers: 0, following: 0 });
    });

    test('photos show to whom they showed, and are found by their words and tags', async () => {
      assert.deepEqual(await idsOf(anybody(), '/api/photos'), [6, 5, 1]);
      assert.deepEqual(await idsOf(ana, '/api/photos'), [6, 5, 3, 2, 1]);
      assert.deepEqual(await idsOf(anybody(), '/api/photos?keyword=secret'), []);
      assert.deepEqual(await idsOf(anybody(), '/api/photos?keyword=disabled'), []);
      assert.equal((await anybody().get('/api/photos/7')).status, 403);
      assert.deepEqual(await idsOf(ana, '/api/photos?keyword=secret'), [3]);
      assert.deepEqual(await idsOf(anybody(), '/api/photos?keyword=UN'), [6, 1]);
      assert.deepEqual(await idsOf(ana, '/api/photos?tag=SEA'), [5, 2, 1]);
      assert.deepEqual(await idsOf(ana, '/api/trash'), [4]);
      const photo = assertRead(await anybody().get('/api/photos/1'));
      assert.deepEqual([photo.likes, photo.favorites, photo.comments, photo.tags], [1, 1, 0, ['Sea', 'Sun']]);
      assert.equal((await anybody().get('/api/photos/2')).status, 403);
      assert.equal(assertRead(await anybody().get(`/api/shares/${shareToken}`)).photo.id, 2);
    });

    test('previews keep their format, and what was not known before is unknown', async () => {
      const { list } = assertRead(await anybody().get('/api/photos'));
      const formats = list.map(({ id, preview }: { id: number; preview: string }) => [
        id,
        preview.slice(-12),
      ]);
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
        assertRead(await who.get('/api/tags')).list.map(
          ({ name, count }: { name: string; count: number }) => [name.toLowerCase(), count],
        );
      assert.deepEqual(await counts(anybody()), [
        ['sea', 2],
        ['sun', 1],
      ]);
      assert.deepEqual(await counts(ana), [
        ['sea', 3],
        ['sun', 1],
      ]);
    });

    test('the original of an edited photo is for everybody for an hour, from the upgrade on', async () => {
      const rows = await gallery.deps.db.kysely
        .selectFrom('images')
        .select(['photo_id', 'private_time'])
        .where('private_time', 'is not', null)
        .execute();
      assert.deepEqual(
        rows.map(({ photo_id }) => photo_id),
        [6],
      );
      const left = rows[0]!.private_time! - Math.floor(Date.now() / 1000);
      assert.ok(left > 3000 && left <= 3600, String(left));
    });

    test('albums have their photos in order, their counts and their visibility', async () => {
      assert.deepEqual(await idsOf(anybody(), '/api/albums'), [1]);
      assert.deepEqual((await idsOf(ana, '/api/albums')).sort(), [1, 2]);
      assert.deepEqual(await idsOf(anybody(), '/api/albums?keyword=ÖFF'), [1]);
      assert.deepEqual(await idsOf(ana, '/api/albums/1/photos'), [1, 6]);
      assert.equal(assertRead(await anybody().get('/api/albums/1')).photo_count, 2);
      assert.equal((await anybody().get('/api/albums/2')).status, 403);
      await assertAlbumsHold(gallery);
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
      assert.deepEqual(await idsOf(ana, '/api/albums/1/photos'), [1, 4, 6, 3]);
      assert.equal(assertRead(await ana.get('/api/notifications')).unread, 3);
      assert.deepEqual(await idsOf(ben, '/api/feed'), [6, 4, 1]);
      assert.equal((await ana.put('/api/albums/1', { is_public: 0 })).status, 200);
      assert.deepEqual(await idsOf(anybody(), '/api/photos'), [5]);
      await assertAlbumsHold(gallery);
      await assertTagsHold();
    });

    async function assertTagsHold(): Promise<void> {
      const { kysely } = gallery.deps.db;
      const tags = await kysely.selectFrom('photo_tags').selectAll().where('visibility', '>', 0).execute();
      const totals = await kysely.selectFrom('tag_totals').selectAll().execute();
      for (const { user_id, visibility, name_key, n } of totals) {
        const carried = tags.filter(
          (tag) =>
            tag.visibility === visibility &&
            tag.name_key === name_key &&
            (user_id === 0 || tag.user_id === user_id),
        );
        assert.equal(n, carried.length, `${name_key} of user ${user_id}, visibility ${visibility}`);
      }
      assert.equal(
        totals.filter(({ user_id }) => user_id === 0).reduce((sum, { n }) => sum + n, 0),
        tags.length,
      );
    }

    test('nothing of all this went wrong on the server', () => assert.deepEqual(gallery.complaints(), []));
  });
}
