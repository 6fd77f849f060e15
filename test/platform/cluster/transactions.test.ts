/**
 * Transactions that PostgreSQL aborts are retried if nothing was committed, and never if they may have been
 * committed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { readConfig } from '../../../server/config.ts';
import { DatabaseFull, DatabaseUnavailable } from '../../../server/platform/db/dialect.ts';
import { type Database, openDatabase } from '../../../server/platform/db/index.ts';
import { prepareRead } from '../../../server/platform/db/prepared.ts';
import { makeTestDatabase } from '../../support/harness.ts';
import { startProxy, type TcpProxy } from './proxy.ts';

describe('transactions on PostgreSQL', () => {
  let made: NonNullable<Awaited<ReturnType<typeof makeTestDatabase>>>;
  let proxy: TcpProxy;
  let db: Database;

  before(async () => {
    made = (await makeTestDatabase())!;
    const url = new URL(made.url);
    proxy = await startProxy(Number(url.port));
    url.port = String(proxy.port);
    // Turns off prepared statements, because the proxy searches for the text of statements.
    const { databaseLimits } = readConfig({ DATABASE_PREPARE: '0' });
    db = await openDatabase({ dataDir: '', url: url.href, limits: databaseLimits, onError: () => {} });
    await sql`CREATE TABLE marks (id integer PRIMARY KEY, n integer NOT NULL DEFAULT 0)`.execute(db.kysely);
    await sql`INSERT INTO marks (id) VALUES (1), (2)`.execute(db.kysely);
    await sql`CREATE SEQUENCE tries`.execute(db.kysely);
    // A PostgreSQL sequence keeps its value when a transaction is rolled back, so it counts attempts.
    await sql`CREATE FUNCTION fail_until(many bigint, state text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tries') < many THEN RAISE EXCEPTION 'on purpose' USING ERRCODE = state; END IF; END $$`.execute(
      db.kysely,
    );
  });
  after(async () => {
    await db?.close();
    await proxy?.close();
    await made?.drop();
  });

  const readMark = async (id: number) =>
    (await sql<{ n: number }>`SELECT n FROM marks WHERE id = ${id}`.execute(db.kysely)).rows[0]?.n;
  const failUntil = async (many: number, state: string, id: number) => {
    await sql`ALTER SEQUENCE tries RESTART`.execute(db.kysely);
    let runs = 0;
    const done = db.kysely.transaction().execute(async (transaction) => {
      runs++;
      await sql`INSERT INTO marks (id) VALUES (${id})`.execute(transaction);
      await sql`SELECT fail_until(${many}, ${state})`.execute(transaction);
    });
    const error = await done.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { runs, error };
  };

  test('two that deadlock both succeed, once each', async () => {
    const both = Promise.withResolvers<void>();
    let waiting = 0;
    const add = (first: number, second: number) =>
      db.kysely.transaction().execute(async (transaction) => {
        await sql`UPDATE marks SET n = n + 1 WHERE id = ${first}`.execute(transaction);
        if (++waiting === 2) both.resolve();
        await both.promise;
        await sql`UPDATE marks SET n = n + 1 WHERE id = ${second}`.execute(transaction);
      });
    await Promise.all([add(1, 2), add(2, 1)]);
    assert.deepEqual([await readMark(1), await readMark(2)], [2, 2]);
    assert.ok(waiting > 2, 'they did deadlock');
  });

  test('one that cannot be serialised is tried again, a bounded number of times', async () => {
    assert.deepEqual(await failUntil(3, '40001', 10), { runs: 3, error: undefined });
    assert.equal(await readMark(10), 0);
    const { runs, error } = await failUntil(1000, '40001', 11);
    assert.equal(runs, 5);
    assert.ok(error instanceof DatabaseUnavailable);
    assert.equal(await readMark(11), undefined);
  });

  test('a lock timeout is not tried again, and a mistake of ours is none of the database', async () => {
    const late = await failUntil(3, '55P03', 12);
    assert.equal(late.runs, 1);
    assert.ok(late.error instanceof DatabaseUnavailable && !late.error.mayHaveCommitted);
    const wrong = await failUntil(3, '22012', 12);
    assert.equal(wrong.runs, 1);
    assert.ok(!(wrong.error instanceof DatabaseUnavailable));
  });

  test('one whose connection is lost before the commit runs again, on another connection', async () => {
    let cuts = 0;
    proxy.onRequest = (bytes, cut) => {
      if (bytes.includes('INSERT INTO marks') && cuts++ === 0) cut();
    };
    const { runs, error } = await failUntil(0, '', 13);
    proxy.onRequest = () => {};
    assert.deepEqual({ runs, error }, { runs: 2, error: undefined });
    assert.equal(await readMark(13), 0);
  });

  test('one whose connection is lost at the commit does not run again', async () => {
    let cuts = 0;
    proxy.onRequest = (bytes, cut) => {
      if (bytes.includes('commit') && cuts++ === 0) cut();
    };
    const { runs, error } = await failUntil(0, '', 14);
    proxy.onRequest = () => {};
    assert.equal(runs, 1);
    assert.ok(error instanceof DatabaseUnavailable && error.mayHaveCommitted, String(error));
    assert.ok((await readMark(14)) === 0 || (await readMark(14)) === undefined);
  });

  test('one whose commit the server breaks off, without room for its log or by a failing disk, may be made', async () => {
    // Raises an error at commit, like a PostgreSQL without space for its log. A PostgreSQL that shuts down
    // uses the same words.
    await sql`CREATE FUNCTION fail_late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'on purpose' USING ERRCODE = CASE NEW.n WHEN 1 THEN '53100' ELSE '58030' END; END $$`.execute(
      db.kysely,
    );
    await sql`CREATE CONSTRAINT TRIGGER late AFTER INSERT ON marks DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.id >= 20) EXECUTE FUNCTION fail_late()`.execute(db.kysely);
    for (const n of [1, 2]) {
      let runs = 0;
      const done = db.kysely.transaction().execute(async (transaction) => {
        runs++;
        await sql`INSERT INTO marks (id, n) VALUES (${20 + n}, ${n})`.execute(transaction);
      });
      await assert.rejects(done, (error) => error instanceof DatabaseUnavailable && error.mayHaveCommitted);
      assert.equal(runs, 1);
    }
    // The failure comes before the commit, so the error says that the disk is full.
    assert.ok((await failUntil(3, '53100', 30)).error instanceof DatabaseFull);
  });

  test('a read whose connection is lost is read again', async () => {
    let cuts = 0;
    proxy.onRequest = (bytes, cut) => {
      if (bytes.includes('from "marks"') && cuts++ === 0) cut();
    };
    const find = prepareRead<{ id: number }>(db, (kysely) => ({
      // Sends the statement as text, because the proxy searches for the text.
      compile: () => sql<{ id: number }>`select id from "marks"`.compile(kysely),
    }));
    const rows = await find({});
    proxy.onRequest = () => {};
    assert.ok(rows.length >= 2);
    assert.equal(cuts, 2);
  });
});
