/** A gallery of the first version: lens, focal length and location of its photos are read after the upgrade. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import type { OpenedDatabase } from '../../../server/platform/db/dialect.ts';
import { migrate } from '../../../server/platform/db/migrate.ts';
import { openPostgres } from '../../../server/platform/db/postgres/postgres.ts';
import { findSetting } from '../../../server/platform/db/settings.ts';
import { openSqlite } from '../../../server/platform/db/sqlite/sqlite.ts';
import { openStorage } from '../../../server/platform/storage/open.ts';
import { unreadSetting } from '../../../server/tools/upkeep/exif/batch.ts';
import { readUnread } from '../../../server/tools/upkeep/exif/job.ts';
import { assertRead } from '../../support/answers.ts';
import { assertGroupsHold } from '../../support/groups.ts';
import { type Gallery, makeDatabase, startGallery } from '../../support/harness.ts';
import { makeOldGallery, sessionToken } from '../../support/old-gallery.ts';
import { anonymous, type Person, person } from '../../support/people.ts';
import { jpegWithExif } from '../../support/pictures.ts';

const lens = 'EF-S17-55mm f/2.8 IS USM';

describe('Exif of photos of an earlier version', () => {
  let gallery: Gallery;
  let dataDir: string;
  let database: Awaited<ReturnType<typeof makeDatabase>>;
  let ana: Person;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-unread-'));
    database = await makeDatabase();
    await openStorage({ dataDir });
    const db = openOld();
    await makeOldGallery(db);
    await sql`INSERT INTO settings VALUES (${unreadSetting}, '7')`.execute(db.kysely);
    await sql`UPDATE photos SET camera = 'As it was', iso = 64 WHERE id = 1`.execute(db.kysely);
    await sql`INSERT INTO gear VALUES ('As it was', 'as it was')`.execute(db.kysely);
    for (const user of [0, 1]) {
      await sql`INSERT INTO photo_groups VALUES (${user}, 2, 'camera', 'As it was', 1, 1333)`.execute(
        db.kysely,
      );
    }
    await sql`UPDATE images SET extension = 'webp' WHERE photo_id = 5`.execute(db.kysely);
    await migrate(db);
    assert.equal(await findSetting(db, unreadSetting), '7');
    await db.close();
    gallery = await startGallery({ dataDir, databaseUrl: database?.url });
    ana = person(gallery, 'Ana', sessionToken, 1);

    const picture = await jpegWithExif();
    const ofPhone = await sharp(picture).keepExif().webp().toBuffer();
    await put(1, picture);
    // The original of the second is not there.
    await put(3, Buffer.from('no picture'));
    await put(4, picture);
    await put(5, ofPhone, 'webp');
    await put(6, picture);
    await put(7, afterMuch(picture));
  });
  after(async () => {
    await gallery?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  function openOld(): OpenedDatabase {
    const limits = {
      pool: 2,
      connectTimeoutMs: 60_000,
      statementTimeoutMs: 0,
      lockTimeoutMs: 0,
      prepares: true,
    };
    return database ? openPostgres(database.url, limits, () => {}) : openSqlite(dataDir);
  }

  const put = (id: number, source: Buffer, extension = 'jpg') =>
    gallery.deps.storage.put([
      {
        name: `${createHash('sha256').update(String(id)).digest('hex').slice(0, 32)}.original.${extension}`,
        source,
      },
    ]);

  test('waits while the storage is out of reach', { skip: process.env.TEST_STORAGE === 's3' }, async () => {
    await rename(join(dataDir, 'files'), join(dataDir, 'elsewhere'));
    await assert.rejects(readUnread(gallery.deps));
    await rename(join(dataDir, 'elsewhere'), join(dataDir, 'files'));
    assert.equal(await findSetting(gallery.deps.db, unreadSetting), '7');
  });

  test('is read once, also by two processes, and past originals that are no good', async () => {
    const all = await Promise.all([readUnread(gallery.deps), readUnread(gallery.deps)]);
    const sum = (name: keyof (typeof all)[0]) => all.reduce((sum, counts) => sum + counts[name], 0);
    assert.deepEqual(
      [sum('read'), sum('changed'), sum('missing'), sum('unreadable')],
      [7, 5, 1, 1],
      JSON.stringify(all),
    );
    assert.equal(await findSetting(gallery.deps.db, unreadSetting), undefined);
    assert.deepEqual(await readUnread(gallery.deps), { read: 0, changed: 0, missing: 0, unreadable: 0 });
    const rows = await gallery.deps.db.kysely
      .selectFrom('photos')
      .select(['id', 'lens', 'focal_length'])
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map((row) => [row.id, row.lens, row.focal_length]),
      [1, 2, 3, 4, 5, 6, 7].map((id) => (id === 2 || id === 3 ? [id, '', 0] : [id, lens, 23.5])),
    );
  });

  test('shows in details, what was known before stays, and the location is for its owner alone', async () => {
    const photo = assertRead(await ana.get('/api/photos/1'));
    assert.deepEqual(
      [photo.exif.camera, photo.exif.iso, photo.exif.aperture, photo.exif.shutter],
      ['As it was', 64, 'f/2.8', '1/125'],
    );
    assert.deepEqual([photo.lens, photo.focal_length], [lens, 23.5]);
    assert.deepEqual(photo.location, { latitude: 51.5, longitude: -0.1166667 });
    const forAll = assertRead(await anonymous(gallery).get('/api/photos/1'));
    assert.equal(forAll.lens, lens);
    assert.equal('location' in forAll, false);
    // Read of the original, where an edit is shown.
    assert.deepEqual(assertRead(await ana.get('/api/photos/6')).location, photo.location);
  });

  test('is found and counted', async () => {
    const found = async (path: string) =>
      assertRead(await ana.get(path)).list.map(({ id }: { id: number }) => id);
    assert.deepEqual(await found('/api/photos?q=lens:ef-s17'), [6, 5, 1]);
    assert.deepEqual(await found('/api/photos?q=focal:23..24 camera:canon'), [6, 5]);
    const { lenses, cameras } = assertRead(await ana.get('/api/facets?user_id=1'));
    assert.deepEqual(lenses, [{ name: lens, count: 2 }]);
    assert.deepEqual(cameras, [
      { name: 'As it was', count: 1 },
      { name: 'Canon EOS 500D', count: 1 },
    ]);
    await assertGroupsHold(gallery);
    assert.deepEqual(gallery.complaints(), []);
  });
});

/** The same with more before its Exif than the reader takes at first. */
function afterMuch(picture: Buffer): Buffer {
  const segment = Buffer.alloc(2 + 65_535, 0x20);
  segment.writeUInt16BE(0xffeb, 0);
  segment.writeUInt16BE(65_535, 2);
  return Buffer.concat([picture.subarray(0, 2), ...Array<Buffer>(10).fill(segment), picture.subarray(2)]);
}
