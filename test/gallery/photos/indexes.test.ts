/** Tests the indexes of photos and their counter tables: few, each used by a request, and each documented. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { albumId, albumOwner, followees, makeGallery } from '../../../bench/seed-people.ts';
import { makeTestDatabase } from '../../support/harness.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';

const tables = ['photos', 'photo_views', 'photo_counts'];
const most = 20;
const record = 'docs/adr/0052-counters-in-tables-of-their-own.md';
/** Number of photos: with fewer, PostgreSQL would scan the tables instead of using indexes. */
const photos = 20_000;

let dataDir: string;
let database: Awaited<ReturnType<typeof makeTestDatabase>>;
let server: ServerProcess;
const statements = () => join(dataDir, 'statements');

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lightwell-indexes-'));
  database = await makeTestDatabase();
  await makeGallery(dataDir, database?.url, { photos, albumEvery: 10, comments: 10_000 });
  await analyze();
  const recorder = resolve(import.meta.dirname, '../../support/record-sql.ts');
  const environment: Record<string, string> = database
    ? { DATABASE_URL: database.url }
    : { NODE_OPTIONS: `--import ${recorder}`, RECORD_SQL: statements() };
  server = await startServer({ dataDir, environment });
});
after(async () => {
  await server?.end('SIGTERM');
  await database?.drop();
  await rm(dataDir, { recursive: true });
});

async function send(path: string, init: RequestInit = {}): Promise<void> {
  const { method = 'GET' } = init;
  const response = await fetch(server.url + path, init);
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
}

test(`at most ${most} indexes exist, and each one is used by a request and named in ${record}`, async () => {
  const authorization = `Bearer ${albumOwner.token}`;
  const sorts = ['create_time', 'update_time', 'taken_time', 'title', 'size'];
  for (const sort of [...sorts, 'views', 'likes', 'favorites', 'downloads']) {
    await send(`/api/photos?sort=${sort}`);
  }
  const someone = followees - 1;
  for (const sort of ['create_time', 'taken_time']) {
    await send(`/api/photos?user_id=${someone}&sort=${sort}`);
  }
  await send(`/api/photos?user_id=${albumOwner.id}&sort=rating`, { headers: { authorization } });
  await send(`/api/users/${someone}`);
  await send(`/api/albums/${albumId}/photos`);
  await send(`/api/photos?album_id=${albumId}`);
  await send('/api/photos?q=camera:canon+iso:100');
  await send(`/api/photos/${photos / 2}`);
  await send(`/api/photos/${photos / 2}/like`, { method: 'POST', headers: { authorization } });
  await send(`/api/photos/${photos / 2}`, { method: 'DELETE', headers: { authorization } });
  await send('/api/trash', { headers: { authorization } });
  const sha256 = Buffer.from('0'.repeat(64)).toString('base64');
  await send('/api/uploads', {
    method: 'POST',
    headers: {
      authorization,
      'tus-resumable': '1.0.0',
      'upload-length': '5',
      'upload-metadata': `filename YS5qcGc=,sha256 ${sha256}`,
    },
  });
  await send(`/api/albums/${albumId}`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ visibility: 'members' }),
  });
  assert.equal(await server.end('SIGTERM'), 0);
  const used = database ? await scanned(database.url) : await planned();
  const unused = Object.keys(used).filter((index) => !used[index]);
  assert.deepEqual(unused, []);
  assert.ok(Object.keys(used).length <= most, Object.keys(used).join());
  const text = await readFile(record, 'utf8');
  for (const index of Object.keys(used).filter((name) => !/^sqlite_autoindex|_pkey$/.test(name))) {
    assert.ok(text.includes(`\`${index}\``), `${record} does not name ${index}`);
  }
});

async function analyze(): Promise<void> {
  if (database) return run(database.url, async (client) => void (await client.query('VACUUM ANALYZE')));
  const file = new DatabaseSync(join(dataDir, 'lightwell.db'));
  file.exec('ANALYZE');
  file.close();
}

/** Returns, for each index, whether it was used, according to the statistics of PostgreSQL. */
function scanned(url: string): Promise<Record<string, boolean>> {
  return run(url, async (client) => {
    const { rows } = await client.query(
      'SELECT indexrelname, idx_scan FROM pg_stat_user_indexes WHERE relname = ANY($1)',
      [tables],
    );
    return Object.fromEntries(rows.map((row) => [row.indexrelname, Number(row.idx_scan) > 0]));
  });
}

async function run<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/**
 * Returns the indexes in SQLite's plans of the sent statements. A primary key that is the row id is not an
 * index.
 */
async function planned(): Promise<Record<string, boolean>> {
  const file = new DatabaseSync(join(dataDir, 'lightwell.db'));
  // Defines the server's SQL function, so that SQLite can plan the statements.
  file.function('in_time', { varargs: true }, () => 1);
  const names = file
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name IN (${tables.map(() => '?')})`)
    .all(...tables)
    .map(({ name }) => String(name));
  const plans = (await readFile(statements(), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string)
    .filter((statement) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/i.test(statement))
    // Statements of SQLite's own, on the tables behind the search index, cannot be planned.
    .filter((statement) => !/photo_(tri)?grams_/.test(statement))
    .flatMap((statement) => file.prepare(`EXPLAIN QUERY PLAN ${statement}`).all())
    .map(({ detail }) => String(detail));
  file.close();
  const isUsed = (name: string) => plans.some((detail) => detail.split(' ').includes(name));
  return Object.fromEntries(names.map((name) => [name, isUsed(name)]));
}
