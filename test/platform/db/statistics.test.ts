/** After a bulk import, the query planners know how many rows a table has. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { updatePlannerStatistics } from '../../../server/platform/db/statistics.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';

const many = 2000;

let gallery: Gallery;
before(async () => {
  gallery = await startGallery();
});
after(() => gallery.close());

test('statistics follow a bulk import', async () => {
  const { db } = gallery.deps;
  const read = async <Row>(statement: string): Promise<Row> =>
    (await sql.raw<Row>(statement).execute(db.kysely)).rows[0]!;
  const schemaVersion = async () =>
    (await read<{ schema_version: number }>('PRAGMA schema_version')).schema_version;
  const version = db.name === 'sqlite' ? await schemaVersion() : 0;
  const rows = Array.from({ length: many }, (_, n) => ({ name: `bulk ${n}`, value: '' }));
  await db.kysely.insertInto('settings').values(rows).execute();
  await updatePlannerStatistics(db, { isBulk: true });
  if (db.name === 'postgres') {
    const { n } = await read<{ n: number }>(`SELECT reltuples AS n FROM pg_class
      WHERE relname = 'settings' AND relnamespace = current_schema()::regnamespace`);
    assert.ok(n >= many);
    return;
  }
  const { stat } = await read<{ stat: string }>("SELECT stat FROM sqlite_stat1 WHERE tbl = 'settings'");
  assert.ok(Number.parseInt(stat, 10) >= many);
  assert.ok(
    (await schemaVersion()) > version,
    'other connections read statistics when the schema has changed',
  );
});
