/**
 * docs/scale.md lists everything beyond plain SQL that the schema and the statements need, and nothing else.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { makeTestDatabase } from '../../support/harness.ts';

const root = resolve(import.meta.dirname, '../../..');
const scale = readFileSync(join(root, 'docs/scale.md'), 'utf8');

const ours = `relnamespace = current_schema()::regnamespace`;
const trigger = (condition: string) => `SELECT 1 FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE NOT tgisinternal AND ${ours} AND ${condition}`;
const index = (condition: string) => `SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  JOIN pg_am ON pg_am.oid = relam WHERE ${ours} AND ${condition}`;
const constraint = (condition: string) => `SELECT 1 FROM pg_constraint
  WHERE connamespace = current_schema()::regnamespace AND ${condition}`;

/**
 * Kinds of schema objects that at least one distributed engine lacks or treats differently. The key is the
 * name in docs/scale.md. The value is a query that returns rows if the schema has such an object.
 */
const objects: Record<string, string> = {
  'triggers for each row': trigger('tgtype & 1 = 1'),
  'triggers for each statement': trigger('tgtype & 1 = 0'),
  'transition tables in triggers': trigger('(tgnewtable IS NOT NULL OR tgoldtable IS NOT NULL)'),
  '`UPDATE OF` in triggers': trigger(`tgattr <> ''`),
  '`TRUNCATE` triggers': trigger('tgtype & 32 = 32'),
  'a GIN index': index(`amname = 'gin'`),
  'a function of our own in an index': index(`EXISTS (SELECT 1 FROM pg_depend WHERE objid = indexrelid
    AND refclassid = 'pg_proc'::regclass AND refobjid >= 16384)`),
  'unique indexes beside the key': index('indisunique AND NOT indisprimary'),
  'foreign keys': constraint(`contype = 'f'`),
  'exclusion constraints': constraint(`contype = 'x'`),
  'deferrable constraints': constraint('condeferrable'),
  'ids in the order of insertion (identity)': `SELECT 1 FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE ${ours} AND attidentity <> ''`,
  extensions: `SELECT 1 FROM pg_extension WHERE extname <> 'plpgsql'`,
};

/**
 * Kinds of statements, named as in docs/scale.md, each with a pattern that finds them in the sources or in
 * the schema's functions.
 */
const statements: Record<string, RegExp> = {
  '`LOCK TABLE`': /\bLOCK TABLE\b/,
  'advisory locks of transactions': /\bpg_(try_)?advisory_xact_lock/,
  'advisory locks of sessions': /\bpg_(try_)?advisory_(un)?lock\b/,
  '`FOR UPDATE` and the like': /\.for(NoKey)?Update\(|\.forKeyShare\(|\bFOR (NO KEY )?UPDATE\b/,
  'correlated subqueries': /\bEXISTS \(SELECT\b|\bexists\(/,
  '`WITH RECURSIVE`': /\bWITH RECURSIVE\b/,
  'division of integers': /\bheight \/ 2\b/,
  '`LISTEN`, `NOTIFY`': /\b(LISTEN|NOTIFY) [a-z]/,
  '`ctid`, `xmin`': /\b(ctid|xmin)\b/,
};

describe('what a distributed engine must know', () => {
  let database: NonNullable<Awaited<ReturnType<typeof makeTestDatabase>>>;
  let client: pg.Client;

  before(async () => {
    database = (await makeTestDatabase({ isMigrated: true }))!;
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  test('stands in the table of docs/scale.md', async () => {
    const used: string[] = [];
    for (const [kind, query] of Object.entries(objects)) {
      if ((await client.query(query)).rowCount! > 0) used.push(kind);
    }
    const { rows } = await client.query<{ source: string }>(
      `SELECT prosrc AS source FROM pg_proc WHERE pronamespace = current_schema()::regnamespace`,
    );
    const texts = [...sources(), ...rows.map(({ source }) => source)];
    for (const [kind, pattern] of Object.entries(statements)) {
      if (texts.some((text) => pattern.test(text))) used.push(kind);
    }
    assert.deepEqual(kindsInDocument().sort(), used.sort());
  });

  test('counts the indexes of photos as docs/scale.md does', async () => {
    for (const table of ['photos', 'photo_views', 'photo_counts']) {
      const { rows } = await client.query(
        'SELECT count(*)::int AS n FROM pg_indexes WHERE tablename = $1 AND schemaname = current_schema()',
        [table],
      );
      const counted = new RegExp(`.${table}.,? (?:which )?has (\\d+)`).exec(scale)?.[1];
      assert.equal(counted, String(rows[0].n), table);
    }
  });
});

/**
 * Returns the server's source text without comments, without files for SQLite only, and without migrations.
 */
function sources(): string[] {
  const isLeftOut = (file: string) => /platform\/db\/(sqlite\/|migrations\/(baseline|0))/.test(file);
  return globSync('server/**/*.{ts,js}', { cwd: root })
    .filter((file) => !isLeftOut(file.replaceAll('\\', '/')))
    .map((file) =>
      readFileSync(join(root, file), 'utf8')
        .replaceAll(/\/\*.*?\*\//gs, '')
        .replaceAll(/^\s*\/\/.*$/gm, ''),
    );
}

function kindsInDocument(): string[] {
  const [, section = ''] = readFileSync(join(root, 'docs/scale.md'), 'utf8').split(
    '\n## Distributed engines',
  );
  const rows = section.split('\n## ')[0]!.matchAll(/^\| ([^|]+) \|/gm);
  return [...rows].map(([, kind]) => kind!).filter((kind) => kind !== 'used' && !kind.startsWith('-'));
}
