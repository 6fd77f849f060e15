/**
 * On PostgreSQL, the server builds an index of a large table while others write and other processes wait for
 * the schema.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { DatabaseUnavailable, type OpenedDatabase } from '../../../server/platform/db/dialect.ts';
import { buildIndex } from '../../../server/platform/db/migrations/up.ts';
import { openPostgres } from '../../../server/platform/db/postgres/postgres.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { makeTestDatabase } from '../../support/harness.ts';

const limits = {
  pool: 2,
  connectTimeoutMs: 60_000,
  statementTimeoutMs: 0,
  lockTimeoutMs: 0,
  prepares: false,
};

describe('an index of a large table', () => {
  let database: NonNullable<Awaited<ReturnType<typeof makeTestDatabase>>>;
  let db: OpenedDatabase;
  let other: OpenedDatabase;
  let client: pg.Client;

  before(async () => {
    database = (await makeTestDatabase({ isMigrated: true }))!;
    db = openPostgres(database.url, limits, () => {});
    other = openPostgres(database.url, limits, () => {});
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await Promise.all([db?.close(), other?.close()]);
    await database?.drop();
  });

  const build = (on = 'photos (title)') =>
    db.kysely.transaction().execute(async (transaction) => {
      await db.lockSchema(transaction);
      await buildIndex(db, transaction, 'photos_by_title', on);
    });
  const isValid = async () => {
    const { rows } = await client.query(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('photos_by_title')`,
    );
    return rows[0]?.indisvalid;
  };

  test('is built while another transaction writes, and another process asks for the schema', async () => {
    await client.query(`BEGIN; UPDATE photos SET title = '' WHERE id = 0`);
    const built = build();
    await eventually(async () => {
      const { rows } = await sql`SELECT 1 FROM pg_stat_progress_create_index
        WHERE datname = current_database()`.execute(other.kysely);
      assert.equal(rows.length, 1);
    });
    const lock = () => other.kysely.transaction().execute((transaction) => other.lockSchema(transaction));
    await assert.rejects(lock(), (error) => error instanceof DatabaseUnavailable && error.mayRunAgain);
    await client.query('COMMIT');
    await built;
    assert.equal(await isValid(), true);
    await lock();
  });

  test('is left alone where it is there, and built anew where an interrupted start left it', async () => {
    await build('photos (no_such_column)');
    assert.equal(await isValid(), true);
    await client.query(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'photos_by_title'::regclass`,
    );
    await build();
    assert.equal(await isValid(), true);
  });
});
