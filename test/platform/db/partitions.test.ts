/** PostgreSQL accepts the tables of photos as hash partitions on their existing keys (docs/scale.md). */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { openStorage } from '../../../server/platform/storage/open.ts';
import { assertDone, assertRead, assertWritten } from '../../support/assert-answers.ts';
import { assertTotalsMatchRows } from '../../support/assert-totals.ts';
import { type Gallery, makeTestDatabase, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';

const parts = 4;

describe('tables in partitions', () => {
  let gallery: Gallery;
  let client: pg.Client;
  let dataDir: string;
  let database: NonNullable<Awaited<ReturnType<typeof makeTestDatabase>>>;
  let owner: Person;
  let fan: Person;
  let keys: Map<string, string>;

  before(async () => {
    keys = await keysInDocument();
    database = (await makeTestDatabase({ isMigrated: true }))!;
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    for (const [table, key] of keys) await partition(client, table, key);
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-partitions-'));
    await openStorage({ dataDir });
    gallery = await startGallery({ dataDir, databaseUrl: database.url });
    owner = await register(gallery, 'owner');
    fan = await register(gallery, 'fan');
  });
  after(async () => {
    await gallery?.close();
    await client?.end();
    await database?.drop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  test('serve a gallery as whole ones do', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 8; n++) ids.push((await addPhoto(owner, { title: `Photo ${n}`, tags: 'sea' })).id);
    for (const id of ids) {
      assertWritten(await fan.post(`/api/photos/${id}/like`));
      assertWritten(await fan.post(`/api/photos/${id}/comments`, { content: 'Good' }));
    }
    const listed = async (path: string) =>
      assertRead(await asVisitor(gallery).get(path)).list.map(({ id }: { id: number }) => id);
    assert.deepEqual(await listed('/api/photos'), ids.toReversed());
    assert.deepEqual(await listed('/api/photos?keyword=photo%205'), [ids[5]]);
    assert.equal((await listed('/api/photos?tag=sea')).length, ids.length);
    assertDone(await owner.delete(`/api/photos/${ids[0]}`));
    assertDone(await owner.delete(`/api/trash/${ids[0]}`));
    assert.equal((await asVisitor(gallery).get(`/api/photos/${ids[1]}`)).status, 200);
    await assertTotalsMatchRows(gallery);
    const { rows } = await client.query('SELECT count(DISTINCT tableoid) AS n FROM photos');
    assert.ok(Number(rows[0].n) > 1, 'the photos lie in several partitions');
    assert.deepEqual(gallery.complaints(), []);
  });

  test('are looked up by their key in one partition', async () => {
    for (const [table, key] of keys) {
      const { rows } = await client.query(`EXPLAIN SELECT * FROM ${table} WHERE ${key} = '1'`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      assert.equal(new Set(plan.match(new RegExp(`${table}_\\d`, 'g'))).size, 1, plan);
    }
  });
});

/** Returns, for each table, the key column by which it is partitioned, from the table in docs/scale.md. */
async function keysInDocument(): Promise<Map<string, string>> {
  const text = await readFile(resolve(import.meta.dirname, '../../../docs/scale.md'), 'utf8');
  const [, section = ''] = text.split('\n## Partitions');
  const rows = [...section.split('\n## ')[0]!.matchAll(/^\| (`.+`) \| `(\w+)` \|/gm)];
  const keys = rows.flatMap(([, tables, key]) =>
    [...tables!.matchAll(/`(\w+)`/g)].map(([, table]) => [table!, key!] as const),
  );
  assert.ok(keys.length > 0);
  return new Map(keys);
}

/**
 * Replaces an empty table by a partitioned table with the same indexes, keys and triggers under the same
 * names.
 */
async function partition(client: pg.Client, table: string, key: string): Promise<void> {
  const find = async (sql: string) =>
    (await client.query<{ definition: string }>(sql)).rows.map(({ definition }) => definition);
  const own = `'${table}'::regclass`;
  const constraints = (where: string) =>
    find(`SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
      pg_get_constraintdef(oid)) AS definition FROM pg_constraint WHERE ${where}`);
  const primary = await constraints(`conrelid = ${own} AND contype = 'p'`);
  const foreign = await constraints(`contype = 'f' AND conparentid = 0 AND ${own} IN (conrelid, confrelid)`);
  const indexes = await find(`SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid = ${own} AND NOT indisprimary`);
  const triggers = await find(`SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger
    WHERE tgrelid = ${own} AND NOT tgisinternal`);
  await client.query(`ALTER TABLE ${table} RENAME TO whole`);
  await client.query(
    `CREATE TABLE ${table} (LIKE whole INCLUDING DEFAULTS INCLUDING IDENTITY) PARTITION BY HASH (${key})`,
  );
  await client.query('DROP TABLE whole CASCADE');
  for (let part = 0; part < parts; part++) {
    await client.query(
      `CREATE TABLE ${table}_${part} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${parts}, REMAINDER ${part})`,
    );
  }
  for (const statement of [...primary, ...indexes, ...triggers, ...foreign]) await client.query(statement);
}
