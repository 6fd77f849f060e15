/**
 * The server ends a client's query that takes longer than a second with a 503. Other reads continue
 * meanwhile.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { readSearchCondition } from '../../../server/gallery/photos/query/condition.ts';
import { boundedReadOptions, QueryTooSlow } from '../../../server/platform/db/dialect.ts';
import { openSqliteConnection } from '../../../server/platform/db/sqlite/statements.js';
import { Visibility } from '../../../server/platform/db/states.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createAnimation } from '../../support/pictures.ts';

const names = 100_000;
/** Number of photos that a word search finds. */
const found = 10_000;

describe('bounded reads', () => {
  let gallery: Gallery;
  let ann: Person;
  let visitor: Person;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    visitor = asVisitor(gallery);
    await addPhoto(ann, { title: 'harbour' });
    if (gallery.deps.db.name === 'postgres') return;
    // Adds equipment names that nearly match the pattern at every character, which makes the query slow.
    await sql`INSERT INTO equipment_names (name, name_key)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${names})
      SELECT i, ${'a'.repeat(200)} || i FROM n`.execute(gallery.deps.db.kysely);
  });
  after(() => gallery?.close());

  const slowQuery = encodeURIComponent(Array.from({ length: 30 }, () => 'camera:aaaab').join(' OR '));

  test('refuses a query that exceeds the time limit with 503, and answers other callers', async () => {
    const ask = async () => {
      const answer = visitor.get(`/api/photos?q=${slowQuery}`);
      const others = await Promise.all([
        ann.get('/api/auth/user'),
        ann.get('/api/tags'),
        ann.get('/api/users'),
      ]);
      for (const other of others) assert.equal(other.status, 200);
      return answer;
    };
    const answer = await whileSlow(ask);
    assertRefused(answer, 503, 503);
    assert.equal(answer.body.message, 'The query takes too long. Narrow the query.');
    const { pagination } = assertRead(await visitor.get('/api/photos?q=harb'));
    assert.equal(pagination.total, 1);
  });

  test('the connection for slow reads is free at once after a query exceeded the time limit', async () => {
    const { deadlineCheck, slow } = gallery.deps.db;
    const endless = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT count(*) FROM n WHERE ${deadlineCheck('n.i')}`;
    // Starts more endless reads than there are reader threads.
    const ends = await Promise.allSettled(
      Array.from({ length: 4 }, () => endless.execute(slow(boundedReadOptions))),
    );
    for (const end of ends) assert.ok(end.status === 'rejected' && end.reason instanceof QueryTooSlow);
    const { rows } = await sql<{ n: number }>`SELECT 7 AS n`.execute(slow(boundedReadOptions));
    assert.deepEqual(rows, [{ n: 7 }]);
    // The limit applies to one read only: a read without a limit is not ended, even by the reader that had a
    // limit before.
    const many = sql.lit(2_000_000);
    const { rows: counted } = await sql<{ n: number }>`WITH RECURSIVE n(i) AS
      (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
      SELECT count(*) AS n FROM n WHERE ${deadlineCheck('n.i')}`.execute(gallery.deps.db.slow());
    assert.deepEqual(counted, [{ n: 2_000_000 }]);
    assert.equal(boundedReadOptions.limitMs, 1000);
  });

  test('a bounded read starts no further query after its time limit, and stops the running query', async (context) => {
    const { db, config } = gallery.deps;
    if (db.name === 'postgres') return context.skip('PostgreSQL itself ends the statement');
    // Creates a row whose id is divisible by 128, because SQLite checks the deadline at such ids.
    await sql`UPDATE sqlite_sequence SET seq = 127 WHERE name = 'photos'`.execute(db.kysely);
    const { id } = await addPhoto(ann, { title: 'port', tags: 'boats' }, await createAnimation());
    assert.equal(id % 128, 0);
    assertWritten(await ann.post(`/api/photos/${id}/like`));
    assertWritten(await ann.post(`/api/photos/${id}/favorite`));
    const viewer = { id: ann.id, isAdmin: false, sessionId: 0 };
    const connection = openSqliteConnection(join(config.dataDir, 'lightwell.db'), {
      ...{ readOnly: true, busyTimeoutMs: 5000, cacheMb: 1 },
    });
    const places = [
      'port',
      'nowhere',
      'xy',
      'tag:boats',
      'is:liked',
      'is:favorite',
      'is:animated',
      'type:gif',
    ];
    try {
      for (const q of [...places, 'type:jpeg', 'camera:aaaab']) {
        const read = await readSearchCondition(gallery.deps, viewer, q);
        const condition = read!.where({ visibility: Visibility.public }, { isTested: false });
        // Compiles the condition for a row whose own id needs no deadline check.
        const { sql: text, parameters } =
          sql`SELECT count(*) AS n FROM (SELECT 1 AS id, '' AS camera) AS photos WHERE ${condition}`.compile(
            db.kysely,
          );
        assert.equal(connection.run(text, parameters, 60_000).rows.length, 1, q);
        assert.throws(() => connection.run(text, parameters, -1), /the time is over/, q);
      }
    } finally {
      connection.close();
    }
  });

  test('a bounded read checks its time limit once in many rows, also for rows that words find', async (context) => {
    const { db, config } = gallery.deps;
    if (db.name === 'postgres') return context.skip('PostgreSQL itself ends the statement');
    await sql`INSERT INTO photo_trigrams (rowid, text)
      WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < ${1000 + found})
      SELECT i, 'lighthouse' FROM n`.execute(db.kysely);
    const read = await readSearchCondition(gallery.deps, undefined, 'lighthouse');
    const condition = read!.where({ visibility: Visibility.public }, { isTested: false });
    const photos = sql`SELECT count(*) AS n FROM photos WHERE ${condition}`;
    const { sql: text, parameters } = photos.compile(db.kysely);
    const database = new DatabaseSync(join(config.dataDir, 'lightwell.db'), { readOnly: true });
    try {
      let asked = 0;
      database.function('in_time', () => {
        asked++;
        return 1;
      });
      assert.deepEqual({ ...database.prepare(text).get(...(parameters as SQLInputValue[])) }, { n: 0 });
      assert.ok(asked > 0 && asked < found / 50, `${asked} times`);
    } finally {
      database.close();
    }
  });

  /** Runs `work` while the query is slow. On PostgreSQL, a table lock makes the query wait. */
  function whileSlow<Result>(work: () => Promise<Result>): Promise<Result> {
    const { db } = gallery.deps;
    if (db.name === 'sqlite') return work();
    return db.kysely.transaction().execute(async (transaction) => {
      // Turns off the idle timeout for this transaction, which is idle for longer than Lightwell's
      // transactions may be.
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(transaction);
      await sql`LOCK TABLE equipment_names IN ACCESS EXCLUSIVE MODE`.execute(transaction);
      return work();
    });
  }
});
