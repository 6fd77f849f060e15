/**
 * If the database refuses the deletion of an account for a while, it is repeated soon, without waiting for
 * the next maintenance run.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { assertDone } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { startGallery } from '../../support/harness.ts';
import { register, registerAdmin } from '../../support/people.ts';

const refusals = {
  sqlite: {
    begin: [`CREATE TRIGGER stay BEFORE DELETE ON users BEGIN SELECT RAISE(ABORT, 'not yet'); END`],
    end: ['DROP TRIGGER stay'],
  },
  postgres: {
    begin: [
      `CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not yet''; END'`,
      'CREATE TRIGGER stay BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION stay()',
    ],
    end: ['DROP TRIGGER stay ON users'],
  },
};

test('a deletion that the database refuses for a while is carried on by itself', async (context) => {
  const gallery = await startGallery();
  context.after(gallery.close);
  const { kysely } = gallery.deps.db;
  const run = async (statements: string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(kysely);
  };
  const { begin, end } = refusals[process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite'];
  const admin = await registerAdmin(gallery, 'admin');
  const ann = await register(gallery, 'ann');
  await run(begin);
  assertDone(await admin.delete(`/api/admin/users/${ann.id}`));
  const isRefused = async () =>
    assert.ok(gallery.complaints().some((line) => line.includes('could not be deleted yet')));
  await eventually(isRefused);
  await run(end);
  await eventually(async () => {
    assert.deepEqual(await kysely.selectFrom('users').select('id').where('id', '=', ann.id).execute(), []);
  }, 120_000);
});
