/** SQLite plans a statement again when a bound argument could make a partial index usable. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Expression, SqlBool } from 'kysely';
import { accountEnabledCondition } from '../../../server/gallery/library/visibility-sql.ts';
import { type Database, openDatabase } from '../../../server/platform/db/index.ts';
import { type PreparedRead, prepareRead } from '../../../server/platform/db/prepared.ts';

const rounds = 20;
const runsPerRound = 500;

let folder: string;
let database: Database;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lightwell-plans-'));
  database = await openDatabase({ dataDir: folder, url: undefined, onError: assert.ifError });
});
after(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

test('links are looked up as fast with the status of their account as without', async () => {
  const without = findLink();
  const withStatus = findLink(accountEnabledCondition);
  const [fastest, asked] = await measureFastest(without, withStatus);
  assert.ok(asked! < 2 * fastest!, `${asked} µs instead of ${fastest} µs`);
});

/**
 * Prepares a lookup of a share link, like the frequent lookups in gallery/shares/store.ts and
 * gallery/delivery/access.ts.
 */
function findLink(condition?: Expression<SqlBool>): PreparedRead<{ is_admin: number }> {
  return prepareRead<{ is_admin: number }>(database, (query, arg) =>
    query
      .selectFrom('shares')
      .innerJoin('users', 'users.id', 'shares.user_id')
      .selectAll('shares')
      .select('users.is_admin')
      .where('shares.token', '=', arg<string>('token'))
      .$if(condition !== undefined, (some) => some.where(condition!)),
  );
}

/**
 * Returns the microseconds per run in each query's fastest round. The rounds alternate between the queries.
 */
async function measureFastest(...queries: PreparedRead<unknown>[]): Promise<number[]> {
  const fastest = queries.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [index, query] of queries.entries()) {
      const start = performance.now();
      for (let run = 0; run < runsPerRound; run++) await query({ token: `token ${run}` });
      const each = ((performance.now() - start) * 1000) / runsPerRound;
      fastest[index] = Math.min(fastest[index]!, each);
    }
  }
  return fastest;
}
