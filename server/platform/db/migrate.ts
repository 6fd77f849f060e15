/**
 * Brings the schema up to date: numbered migrations, forward only. Each one is a transaction that also records it, so
 * a start that was interrupted goes on with the next. Several processes may start at once. The table is that of
 * Kysely's migrator, whose own locks outlive a transaction.
 */
import { sql } from 'kysely';
import { retry } from '../concurrency/retry.ts';
import { DatabaseUnavailable, DatabaseUnusable, type OpenedDatabase } from './dialect.ts';
import * as baseline from './migrations/0040_baseline.ts';
import * as noItemVersions from './migrations/0041_no_item_versions.ts';
import * as noListMarks from './migrations/0042_no_list_marks.ts';
import * as visibilityJobs from './migrations/0043_visibility_jobs.ts';
import * as noSizeClaims from './migrations/0045_no_size_claims.ts';
import * as counters from './migrations/0046_counters.ts';
import * as plainNames from './migrations/0047_plain_names.ts';
import * as totals from './migrations/0048_totals.ts';
import type { Up } from './migrations/up.ts';
import type { Transaction } from './tables.ts';

/** The baseline replaces forty migrations and has the name of the last: a gallery with that one has all of them. */
const baselineName = '0040_bounded_acts';
/** The last commit with the forty migrations. */
const baselineCommit = '4f8d2cdb94fa65d195095b7519e3114600767880';

const migrations: Record<string, { up: Up }> = {
  [baselineName]: baseline,
  '0041_no_item_versions': noItemVersions,
  '0042_no_list_marks': noListMarks,
  '0043_visibility_jobs': visibilityJobs,
  '0045_no_size_claims': noSizeClaims,
  '0046_counters': counters,
  '0047_plain_names': plainNames,
  '0048_totals': totals,
};

/** In their order: what a current schema has seen. */
export const migrationNames = Object.keys(migrations);

/** The end of a sentence that begins with "The database" or "the archive". */
export const tooOld =
  'is of a version that this program no longer reads. ' +
  `Open it once with commit ${baselineCommit} of Lightwell, which brings it up to date.`;

/** How long to wait for another process that migrates. */
const timeoutMs = 600_000;
const pauseMs = 100;

/**
 * Returns whether the schema has changed. Throws when a migration fails (then it changed nothing, and those before it
 * stay), or when the database is newer or much older than this program. `last`: stops after this one, for tests of
 * upgrades and for galleries that are restored as an earlier version left them.
 */
export async function migrate(database: OpenedDatabase, last?: string): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  const isBusy = (error: unknown) => error instanceof DatabaseUnavailable && error.mayRunAgain;
  const isUnderWay = () =>
    retry(
      () => database.kysely.transaction().execute((transaction) => runNext(database, transaction, last)),
      (error) => (isBusy(error) && performance.now() <= end ? pauseMs : undefined),
    );
  let hasChanged = false;
  while (await isUnderWay()) hasChanged = true;
  return hasChanged;
}

/** Returns false if no migration was left. */
async function runNext(
  database: OpenedDatabase,
  transaction: Transaction,
  last: string | undefined,
): Promise<boolean> {
  await database.lockSchema(transaction);
  await sql`CREATE TABLE IF NOT EXISTS kysely_migration
    (name varchar(255) PRIMARY KEY NOT NULL, timestamp varchar(255) NOT NULL)`.execute(transaction);
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(transaction);
  const done = sinceBaseline(rows.map(({ name }) => name));
  if (!done) throw new DatabaseUnusable(`The database ${tooOld}`);
  const unknown = done.find((name) => !migrations[name]);
  if (unknown) {
    throw new DatabaseUnusable(
      `The database is newer than this program, which knows no migration ${unknown}.`,
    );
  }
  const next = migrationNames.find((name) => !done.includes(name));
  if (!next || (last && next > last)) return false;
  if (next === migrationNames[1]) await refuseUnread(transaction);
  await migrations[next]!.up(database, transaction);
  await sql`INSERT INTO kysely_migration (name, timestamp)
    VALUES (${next}, ${new Date().toISOString()})`.execute(transaction);
  return true;
}

/**
 * The version of the baseline reads lens and location of photos that an earlier version uploaded, in the background.
 * Later ones do not. The setting is the highest id that is left.
 */
async function refuseUnread(transaction: Transaction): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM settings WHERE name = 'exif unread'`.execute(transaction);
  if (rows.length === 0) return;
  throw new DatabaseUnusable(
    `The Exif of some photos is unread. Let commit ${baselineCommit} of Lightwell run until it no longer logs ` +
      '"read the Exif of photos of an earlier version", and then start this program again.',
  );
}

/** The baseline and later ones, sorted; undefined for a gallery that has not come so far. */
export function sinceBaseline(names: string[]): string[] | undefined {
  const since = names.filter((name) => name >= baselineName).sort();
  return names.length > 0 && since.length === 0 ? undefined : since;
}
