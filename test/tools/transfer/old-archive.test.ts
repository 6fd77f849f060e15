/**
 * Tests an archive of a gallery at the baseline: it is restored unchanged, and the next start upgrades it.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { readConfig } from '../../../server/config.ts';
import { openDatabase } from '../../../server/platform/db/index.ts';
import { migrationNames } from '../../../server/platform/db/migrate.ts';
import { systemClock } from '../../../server/platform/process/clock.ts';
import { openStorage, timeStorage } from '../../../server/platform/storage/open.ts';
import { asVisitor } from '../../support/people.ts';
import { backUp, restoreTo } from './archives.ts';
import { createScope, otherHome, type Scope, serve, sqliteHome } from './gallery-locations.ts';

test('an archive of the baseline is restored, and the next start brings it up to date', async (context) => {
  const { scope, file } = await makeArchive(context);
  const home = await otherHome(scope);
  const { header } = await restoreTo(home, file);
  assert.deepEqual(header.migrations, [migrationNames[0]]);
  const gallery = await serve(home);
  scope.after(() => gallery.close());
  const { data } = (await asVisitor(gallery).get('/api/users/elder')).body;
  assert.deepEqual([data.username, data.nickname], ['elder', 'Elder']);
  const found = (await asVisitor(gallery).get('/api/photos?keyword=meadow')).body;
  assert.equal(found.data.pagination.total, 1);
  const rows = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(gallery.deps.db.kysely);
  assert.deepEqual(rows.rows.map(({ name }) => name).sort(), migrationNames);
});

/** Creates an archive of a gallery that was upgraded to the baseline by earlier migrations. */
async function makeArchive(context: TestContext): Promise<{ scope: Scope; file: string }> {
  const scope = createScope();
  context.after(() => scope.end());
  const { dataDir } = await sqliteHome(scope);
  const storage = timeStorage(await openStorage({ dataDir }));
  const db = await openDatabase({ dataDir, url: undefined, onError: assert.fail, upTo: migrationNames[0] });
  await sql`INSERT INTO users (username, username_key, email, email_key, password_hash, nickname, avatar, bio,
    gender, birthday, mobile, status, is_admin, used_bytes, create_time)
    VALUES ('elder', 'elder', 'elder@example.org', 'elder@example.org', '', 'Elder', '', '', 0, '', '', 1, 0, 0, 0)
  `.execute(db.kysely);
  await sql`INSERT INTO photos (user_id, visibility, create_time, width, height, size, views, likes, favorites,
    downloads, image_key, title, placeholder, is_public, update_time, taken_time, title_key, tags, camera, aperture,
    shutter, iso, file_name, original_key, sha256, description, album_position, preview_extension)
    VALUES (1, 2, 5, 40, 30, 100, 0, 0, 0, 0, 'k', 'Meadow', '', 1, 5, 5, 'meadow', '[]', '', '', '', 0, 'm.jpg', 'k',
    's', '', 0, 'webp')`.execute(db.kysely);
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('0001_core', '')`.execute(db.kysely);
  const file = join(dataDir, 'old.tar');
  const config = { ...readConfig({}), dataDir };
  try {
    await backUp({ deps: { config, db, storage, clock: systemClock } }, file);
  } finally {
    // Closes the database, because an open database keeps the process alive.
    await db.close();
  }
  return { scope, file };
}
