/** On PostgreSQL, many short reads of one caller do not delay the reads of another caller. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { runForCaller } from '../../../server/platform/concurrency/fair-order.ts';
import { openPostgres } from '../../../server/platform/db/postgres/postgres.ts';
import { makeTestDatabase } from '../../support/harness.ts';

const limits = {
  pool: 2,
  connectTimeoutMs: 60_000,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 0,
  prepares: true,
};
const many = 200;

test('one of another caller does not wait for two hundred that were asked for before it', async () => {
  const made = (await makeTestDatabase())!;
  const database = openPostgres(made.url, limits, () => {});
  try {
    const ended: string[] = [];
    const reads: Promise<unknown>[] = [];
    const read = (name: string) =>
      runForCaller({ name, address: name }, () => {
        const answer = sql`SELECT pg_sleep(0.005)`.execute(database.kysely);
        reads.push(answer.then(() => ended.push(name)));
      });
    for (let n = 0; n < many; n++) read('crowd');
    read('other');
    await Promise.all(reads);
    const place = ended.indexOf('other');
    assert.ok(place < 20, `it ended after ${place} of the crowd's`);
  } finally {
    await database.close();
    await made.drop();
  }
});
