/**
 * Statements on PostgreSQL are prepared once per connection, have a name, are limited in number, and cause no
 * errors.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { readConfig } from '../../../server/config.ts';
import { type Database, openDatabase } from '../../../server/platform/db/index.ts';
import { prepareRead } from '../../../server/platform/db/prepared.ts';
import type { Tables } from '../../../server/platform/db/tables.ts';
import { makeTestDatabase } from '../../support/harness.ts';
import { addPhoto, asVisitor, register } from '../../support/people.ts';
import { startServer } from '../../support/server-process.ts';
import {
  type PgBouncer,
  pooledEnvironment,
  startPgBouncer,
  startPreparedGallery,
  withoutKeeper,
  withoutPgBouncer,
} from './pgbouncer.ts';

const boundPerConnection = 300;
const complaint = /"level":(40|50|60)/;
const backendBytes = 64 * 1024 * 1024;

interface Served {
  output: string;
  /** Number of prepared statements on each of the pooler's connections to the database. */
  prepared: number[];
}

describe('statements on PostgreSQL', () => {
  let made: NonNullable<Awaited<ReturnType<typeof makeTestDatabase>>>;
  before(async () => {
    made = (await makeTestDatabase())!;
  });
  after(() => made?.drop());

  /** Opens a database with one connection, so that queries about the connection run on that connection. */
  function open(
    environment: Record<string, string> = {},
    url = made.url,
    onError: (error: Error) => void = () => {},
  ): Promise<Database> {
    const { databaseLimits } = readConfig({ DATABASE_URL: url, DATABASE_POOL: '1', ...environment });
    return openDatabase({ dataDir: '', url, limits: databaseLimits, onError });
  }

  async function namedOn(db: Database): Promise<{ statement: string; uses: number }[]> {
    const { rows } = await sql<{ statement: string; uses: number }>`
      SELECT statement, generic_plans + custom_plans AS uses FROM pg_prepared_statements`.execute(db.kysely);
    return rows;
  }

  const findSetting = (db: Database) =>
    prepareRead<{ value: string }>(db, (query, arg) =>
      query.selectFrom('settings').select('value').where('name', '=', arg<string>('name')),
    );

  test('are prepared when they repeat, whichever connection they use', async () => {
    const db = await open();
    try {
      const find = findSetting(db);
      for (let n = 0; n < 10; n++) {
        assert.deepEqual(await find({ name: `none ${n}` }), []);
        const name = `prepared ${n}`;
        await db.kysely.transaction().execute(async (transaction) => {
          await transaction
            .insertInto('settings')
            .values({ name, value: String(n) })
            .execute();
        });
        assert.deepEqual(await find({ name }), [{ value: String(n) }]);
      }
      const named = await namedOn(db);
      const findUses = (part: string) => named.find(({ statement }) => statement.startsWith(part))?.uses ?? 0;
      assert.ok(findUses('select "value" from "settings"') >= 17, JSON.stringify(named));
      assert.ok(findUses('insert into "settings"') >= 7, JSON.stringify(named));
    } finally {
      await db.close();
    }
  });

  test('are not prepared with DATABASE_PREPARE=0', async () => {
    const db = await open({ DATABASE_PREPARE: '0' });
    try {
      const find = findSetting(db);
      for (let n = 0; n < 10; n++) await find({ name: 'none' });
      assert.deepEqual(await namedOn(db), []);
    } finally {
      await db.close();
    }
  });

  test('take no name when they come once, and the names of a connection are bounded', async () => {
    const db = await open();
    const queryList = (length: number) =>
      sql`SELECT 1 WHERE 0 IN (${sql.join(Array.from({ length }, (_, n) => n + 1))})`.execute(db.kysely);
    try {
      for (let n = 1; n <= 300; n++) await queryList(n);
      assert.deepEqual(await namedOn(db), []);
      let max = 0;
      for (let n = 1; n <= 1.3 * boundPerConnection; n++) {
        for (let times = 0; times < 3; times++) await queryList(n);
        if (n % 50 === 0) max = Math.max(max, (await namedOn(db)).length);
      }
      assert.ok(max > boundPerConnection / 2 && max <= boundPerConnection + 1, `${max} names`);
      const { rows } = await sql<{ bytes: number }>`
        SELECT sum(total_bytes) AS bytes FROM pg_backend_memory_contexts`.execute(db.kysely);
      assert.ok(rows[0]!.bytes < backendBytes, `${rows[0]!.bytes} bytes`);
    } finally {
      await db.close();
    }
  });

  async function changeTableUnderThem(url: string): Promise<void> {
    const db = await open(pooledEnvironment, url);
    const other = await open(pooledEnvironment, url);
    try {
      await sql`CREATE TABLE marks (id integer PRIMARY KEY, n integer NOT NULL)`.execute(db.kysely);
      await sql`INSERT INTO marks VALUES (1, 0)`.execute(db.kysely);
      const all = (kysely: Kysely<Tables>) => sql`SELECT * FROM marks WHERE id = ${1}`.execute(kysely);
      const prepared = prepareRead<{ id: number }>(db, (_, arg) => ({
        compile: () => sql<{ id: number }>`SELECT *, 1 FROM marks WHERE id = ${arg('id')}`.compile(db.kysely),
      }));
      let runs = 0;
      const inTransaction = () =>
        db.kysely.transaction().execute(async (transaction) => {
          runs++;
          await sql`UPDATE marks SET n = n + 1 WHERE id = ${1}`.execute(transaction);
          return sql`SELECT *, 2 FROM marks WHERE id = ${1}`.execute(transaction);
        });
      for (let n = 0; n < 8; n++) await Promise.all([all(db.kysely), prepared({ id: 1 }), inTransaction()]);
      assert.equal(runs, 8);

      await sql`ALTER TABLE marks ADD COLUMN added text NOT NULL DEFAULT 'new'`.execute(other.kysely);
      const { rows } = await all(db.kysely);
      assert.deepEqual(rows, [{ id: 1, n: 8, added: 'new' }]);
      assert.equal((await prepared({ id: 1 }))[0]?.id, 1);
      await inTransaction();
      assert.equal(runs, 10, 'the transaction has to run again as a whole');
      const { rows: after } = await all(db.kysely);
      assert.deepEqual(after, [{ id: 1, n: 9, added: 'new' }], 'it was done twice, or not at all');
    } finally {
      await sql`DROP TABLE IF EXISTS marks`.execute(other.kysely);
      await db.close();
      await other.close();
    }
  }

  test('survive that a table gets a column under them, in and outside of transactions', () =>
    changeTableUnderThem(made.url));

  describe('through PgBouncer in transaction pooling', { skip: withoutPgBouncer }, () => {
    let pooler: PgBouncer;
    before(async () => {
      pooler = await startPgBouncer(made.url);
    });
    after(() => pooler?.stop());

    /**
     * Sends more simultaneous reads than there are connections, so that the pooler hands connections from
     * client to client. Returns the server's output.
     */
    async function serveThrough(pooler: PgBouncer, environment: Record<string, string>): Promise<Served> {
      const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-pooled-'));
      const database = (await makeTestDatabase())!;
      const server = await startServer({
        dataDir,
        environment: { DATABASE_URL: pooler.of(database.url), ...pooledEnvironment, ...environment },
      });
      try {
        const ann = await register(server, 'ann');
        const { id } = await addPhoto(ann);
        for (let round = 0; round < 8; round++) {
          const answers = await Promise.all([
            ...Array.from({ length: 40 }, () => asVisitor(server).get('/api/photos')),
            ...Array.from({ length: 40 }, () => ann.get(`/api/photos/${id}`)),
            ...Array.from({ length: 4 }, (_, n) => ann.post('/api/albums', { name: `${round} ${n}` })),
            ann.post(`/api/photos/${id}/comments`, { content: `round ${round}` }),
          ]);
          for (const answer of answers) assert.equal(answer.status, 200, answer.bytes.toString());
        }
        assert.equal((await ann.get('/api/albums')).body.data.pagination.total, 32);
        assert.equal((await ann.get(`/api/photos/${id}/comments`)).body.data.pagination.total, 8);
        const prepared = await startPreparedGallery(pooler.of(database.url));
        // The server writes its log in batches and at its end, so the test stops the server before it reads
        // the log.
        await server.end('SIGTERM');
        return { output: server.output(), prepared };
      } finally {
        await server.end('SIGTERM');
        await database.drop();
        await rm(dataDir, { recursive: true, force: true });
      }
    }

    test('succeed and log no complaint with DATABASE_PREPARE=0', async () => {
      const { output, prepared } = await serveThrough(pooler, { DATABASE_PREPARE: '0' });
      assert.doesNotMatch(output, complaint);
      assert.deepEqual(prepared, [0, 0, 0, 0]);
    });

    test('succeed without the setting: the server detects PgBouncer and says so once', async () => {
      const { output } = await serveThrough(pooler, {});
      const complaints = output.split('\n').filter((line) => complaint.test(line));
      assert.equal(complaints.length, 1, output);
      assert.match(complaints[0]!, /DATABASE_PREPARE=0/);
    });

    describe('that keeps statements', { skip: withoutKeeper }, () => {
      for (const [kept, meaning] of [
        [300, 'as the README says'],
        [5, 'fewer than there are'],
      ] as const) {
        test(`are prepared and succeed with max_prepared_statements = ${kept}, ${meaning}`, async () => {
          const keeper = await startPgBouncer(made.url, kept);
          try {
            const { output, prepared } = await serveThrough(keeper, {});
            assert.doesNotMatch(output, complaint);
            assert.ok(Math.max(...prepared) > 0 && Math.max(...prepared) <= kept, `${prepared}`);
          } finally {
            await keeper.stop();
          }
        });
      }

      test('survive a new column in their table', async () => {
        const keeper = await startPgBouncer(made.url, 300);
        try {
          await changeTableUnderThem(keeper.of(made.url));
        } finally {
          await keeper.stop();
        }
      });
    });
  });
});
