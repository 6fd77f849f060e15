/** An archive that an earlier version has written: restored as that version left it, brought up to date at the start. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { readConfig } from '../../../server/config.ts';
import { openDatabase } from '../../../server/platform/db/index.ts';
import { migrationNames } from '../../../server/platform/db/migrate.ts';
import { systemClock } from '../../../server/platform/process/clock.ts';
import { openStorage } from '../../../server/platform/storage/open.ts';
import { anonymous } from '../../support/people.ts';
import { backUp, restoreTo } from './archives.ts';
import { createScope, otherHome, serve, sqliteHome } from './homes.ts';

const old = '0004_people';

test('an archive of an earlier version is restored, and the next start brings it up to date', async (context) => {
  const scope = createScope();
  context.after(() => scope.end());
  const { dataDir } = await sqliteHome(scope);
  const storage = await openStorage({ dataDir });
  const db = await openDatabase({ dataDir, url: undefined, onError: assert.fail, upTo: old });
  await sql`INSERT INTO users (username, username_key, email, email_key, password_hash, nickname, avatar, bio,
    gender, birthday, mobile, status, is_admin, used_bytes, create_time)
    VALUES ('elder', 'elder', 'elder@example.org', 'elder@example.org', '', 'Elder', '', '', 0, '', '', 1, 0, 0, 0)
  `.execute(db.kysely);
  const file = join(dataDir, 'old.tar');
  const config = { ...readConfig({}), dataDir };
  try {
    await backUp({ deps: { config, db, storage, clock: systemClock } }, file);
  } finally {
    // An open database keeps the process alive.
    await db.close();
  }

  const home = await otherHome(scope);
  const { header } = await restoreTo(home, file);
  assert.deepEqual(header.migrations, migrationNames.slice(0, migrationNames.indexOf(old) + 1));
  const gallery = await serve(home);
  scope.after(() => gallery.close());
  const { data } = (await anonymous(gallery).get('/api/users/elder')).body;
  assert.deepEqual([data.username, data.nickname], ['elder', 'Elder']);
  const rows = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(gallery.deps.db.kysely);
  assert.deepEqual(rows.rows.map(({ name }) => name).sort(), migrationNames);
});
