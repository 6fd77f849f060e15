/** A server is killed while it reads the Exif of an old gallery's photos: the next one goes on where it was. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { openSqlite } from '../../server/platform/db/sqlite/sqlite.ts';
import { openStorage } from '../../server/platform/storage/open.ts';
import type { Storage } from '../../server/platform/storage/storage.ts';
import { unreadSetting } from '../../server/tools/upkeep/exif/batch.ts';
import { assertGroupsHold } from '../support/groups.ts';
import { startGallery } from '../support/harness.ts';
import { eventually } from '../support/holdings.ts';
import { makeOldGallery } from '../support/old-gallery.ts';
import { jpegWithExif } from '../support/pictures.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const photos = 47;
/** Where the second batch begins. */
const second = photos - 25;
/** Of the second batch: who opens it waits. */
const stuck = 10;
/** The first look comes forty seconds after the start. No other timer is as long. */
const sooner = { 40000: 50 };
const withinMs = 120_000;

describe('reading Exif of photos of an earlier version', () => {
  let dataDir: string;
  let storage: Storage;
  let picture: Buffer;
  let server: ServerProcess | undefined;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-exif-kill-'));
    // The folder of the photos comes before the database, and is claimed while it is empty.
    storage = await openStorage({ dataDir });
    const db = openSqlite(dataDir);
    await makeOldGallery(db);
    await db.close();
    addCopies();
    withDatabase((db) =>
      db.exec(`INSERT INTO settings VALUES ('${unreadSetting}', '${photos}');
        UPDATE photo_groups SET n = n + ${photos - 7}, ratio = ratio + ${photos - 7} * 1333
          WHERE visibility = 2 AND user_id < 2`),
    );
    await (await startGallery({ dataDir })).close();
    picture = await jpegWithExif();
    for (let id = 1; id <= photos; id++) if (id !== stuck) await put(id);
    assert.equal(
      spawnSync('mkfifo', [join(dataDir, 'files', keyOf(stuck).slice(0, 2), nameOf(stuck))]).status,
      0,
    );
  });
  after(async () => {
    await server?.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  const put = (id: number) => storage.put([{ name: nameOf(id), source: picture }]);

  /** More photos like the first, which has tags that these have not. */
  function addCopies(): void {
    withDatabase((db) => {
      for (const [table, key] of [
        ['photos', 'id'],
        ['images', 'photo_id'],
      ] as const) {
        const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
        const names = columns.map(({ name }) => String(name));
        for (let id = 8; id <= photos; id++) {
          const own: Record<string, string | number> = {
            [key]: id,
            original_key: keyOf(id),
            image_key: keyOf(id),
          };
          if (table === 'photos') Object.assign(own, { tags: '[]', likes: 0, favorites: 0, album_id: 1 });
          else own.key = keyOf(id);
          const values = names.map((name) => (name in own ? `'${own[name]}'` : name));
          db.exec(`INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table} WHERE ${key} = 1`);
        }
      }
    });
  }

  function withDatabase<Result>(use: (db: DatabaseSync) => Result): Result {
    const db = new DatabaseSync(join(dataDir, 'lightwell.db'), { timeout: 60_000 });
    try {
      return use(db);
    } finally {
      db.close();
    }
  }

  const left = () =>
    withDatabase((db) => db.prepare('SELECT value FROM settings WHERE name = ?').get(unreadSetting)?.value);
  const readIds = () =>
    withDatabase((db) => db.prepare(`SELECT id FROM photos WHERE lens <> '' ORDER BY id`).all()).map(
      ({ id }) => id,
    );
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  test('keeps what was read when it is killed', async () => {
    server = await startServer({ dataDir, sooner });
    await eventually(async () => assert.equal(left(), String(second)), withinMs);
    assert.equal(await server.end('SIGKILL'), 'SIGKILL');
    assert.equal(left(), String(second));
    assert.deepEqual(readIds(), range(second + 1, photos));
  });

  test('goes on, and comes to its end', async () => {
    await rm(join(dataDir, 'files', keyOf(stuck).slice(0, 2), nameOf(stuck)));
    await put(stuck);
    // The lease of the one that was killed is over after a minute.
    server = await startServer({ dataDir, sooner, later: 120, environment: { LOG_LEVEL: 'info' } });
    await eventually(async () => assert.equal(left(), undefined), withinMs);
    assert.equal(await server.end('SIGTERM'), 0);
    assert.deepEqual(readIds(), range(1, photos));
    const line = server
      .output()
      .split('\n')
      .find((line) => line.includes('"read the Exif'));
    const { read, changed, missing, unreadable } = JSON.parse(line!);
    assert.deepEqual([read, changed, missing, unreadable], [second, second, 0, 0]);
    const gallery = await startGallery({ dataDir });
    try {
      await assertGroupsHold(gallery);
    } finally {
      await gallery.close();
    }
  });
});

function keyOf(id: number): string {
  return createHash('sha256').update(String(id)).digest('hex').slice(0, 32);
}

function nameOf(id: number): string {
  return `${keyOf(id)}.original.jpg`;
}
