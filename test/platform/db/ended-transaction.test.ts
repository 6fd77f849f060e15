import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { DatabaseUnavailable } from '../../../server/platform/db/dialect.ts';
import { startGallery } from '../../support/harness.ts';

test('a transaction that SQLite ended itself stores nothing, also of statements sent beside it', async (context) => {
  const gallery = await startGallery();
  context.after(gallery.close);
  const { kysely } = gallery.deps.db;
  const note = (transaction: typeof kysely, key: string) =>
    transaction.insertInto('settings').values({ name: key, value: 'x' }).execute();
  const failing = kysely.transaction().execute(async (transaction) => {
    await note(transaction, 'before');
    // Rolls back inside the transaction, as PostgreSQL does when a disk is full or fails.
    await Promise.all([sql`ROLLBACK`.execute(transaction), note(transaction, 'beside')]);
  });
  await assert.rejects(failing, DatabaseUnavailable);
  assert.deepEqual(await kysely.selectFrom('settings').select('name').where('value', '=', 'x').execute(), []);
  await kysely.transaction().execute((transaction) => note(transaction, 'after'));
});

test('a transaction that SQLite has ended itself fails with what ended it', async (context) => {
  const gallery = await startGallery();
  context.after(gallery.close);
  const { kysely } = gallery.deps.db;
  const failing = kysely.transaction().execute(async (transaction) => {
    // Rolls back inside the transaction, as a database does when a disk is full or fails.
    await sql`ROLLBACK`.execute(transaction);
    throw new Error('the disk failed');
  });
  await assert.rejects(failing, /the disk failed/);
  await kysely.transaction().execute((transaction) => transaction.selectFrom('users').selectAll().execute());
});
