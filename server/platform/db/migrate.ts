/**
 * Migrates the schema with numbered, forward-only migrations. Each migration and its record are one transaction, so an
 * interrupted start continues with the next one. Several processes may start at once. The table has the format of
 * Kysely's own migrator, which is not used because its locks outlive a transaction.
 */
import { sql } from 'kysely';
import { retryWork } from '../concurrency/retry.ts';
import { DatabaseUnavailable, DatabaseUnusable, type OpenedDatabase } from './dialect.ts';
import * as baseline from './migrations/0040_baseline.ts';
import * as noItemVersions from './migrations/0041_no_item_versions.ts';
import * as noListMarks from './migrations/0042_no_list_marks.ts';
import * as visibilityJobs from './migrations/0043_visibility_jobs.ts';
import * as noSizeClaims from './migrations/0045_no_size_claims.ts';
import * as counters from './migrations/0046_counters.ts';
import * as plainNames from './migrations/0047_plain_names.ts';
import * as totals from './migrations/0048_totals.ts';
import * as levels from './migrations/0049_levels.ts';
import * as albumPhotos from './migrations/0050_album_photos.ts';
import * as keyRateLimit from './migrations/0051_key_rate_limit.ts';
import * as photoMetadata from './migrations/0052_photo_metadata.ts';
import * as searchFold from './migrations/0053_search_fold.ts';
import * as placeNames from './migrations/0054_place_names.ts';
import * as tagSortKeys from './migrations/0055_tag_sort_keys.ts';
import * as userSortKeys from './migrations/0056_user_sort_keys.ts';
import type { Up } from './migrations/up.ts';
import type { Transaction } from './tables.ts';

/**
 * Name of the baseline, which replaces forty migrations. The baseline has the name of the last of these migrations, so
 * a gallery with that migration has all of them.
 */
const baselineName = '0040_bounded_acts';
/** Last commit of this repository that contained the forty migrations. */
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
  '0049_levels': levels,
  '0050_album_photos': albumPhotos,
  '0051_key_rate_limit': keyRateLimit,
  '0052_photo_metadata': photoMetadata,
  '0053_search_fold': searchFold,
  '0054_place_names': placeNames,
  '0055_tag_sort_keys': tagSortKeys,
  '0056_user_sort_keys': userSortKeys,
};

/** Names of all migrations in order. */
export const migrationNames = Object.keys(migrations);

/**
 * Message for a database or archive that is too old. The text continues a sentence that begins with "The database" or
 * "the archive".
 */
export const databaseTooOldMessage =
  'has a schema that is too old for this version of Lightwell. Start it once with commit ' +
  `${baselineCommit} of Lightwell, which upgrades the schema.`;

/** Milliseconds to wait for another process that is migrating. */
const timeoutMs = 600_000;
const pauseMs = 100;

/**
 * Runs the missing migrations and returns whether the schema has changed. A failing migration changes nothing, and
 * earlier ones stay. Throws when the database is newer or much older than this program. `last` names the last migration
 * to run, for tests and for restoring galleries of an earlier version.
 */
export async function migrateSchema(database: OpenedDatabase, last?: string): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  const isBusy = (error: unknown) => error instanceof DatabaseUnavailable && error.mayRunAgain;
  const isUnderWay = () =>
    retryWork(
      () => database.kysely.transaction().execute((transaction) => runNext(database, transaction, last)),
      (error) => (isBusy(error) && performance.now() <= end ? pauseMs : undefined),
    );
  let hasChanged = false;
  while (await isUnderWay()) hasChanged = true;
  return hasChanged;
}

/** Runs the next missing migration. Returns false if there was none. */
async function runNext(
  database: OpenedDatabase,
  transaction: Transaction,
  last: string | undefined,
): Promise<boolean> {
  await database.lockSchema(transaction);
  await sql`CREATE TABLE IF NOT EXISTS kysely_migration
    (name varchar(255) PRIMARY KEY NOT NULL, timestamp varchar(255) NOT NULL)`.execute(transaction);
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(transaction);
  const done = listMigrationsSinceBaseline(rows.map(({ name }) => name));
  if (!done) throw new DatabaseUnusable(`The database ${databaseTooOldMessage}`);
  const unknown = done.find((name) => !migrations[name]);
  if (unknown) {
    throw new DatabaseUnusable(
      `The schema of the database is newer than this version of Lightwell: migration ${unknown} is ` +
        'unknown. Install the newer version.',
    );
  }
  const next = migrationNames.find((name) => !done.includes(name));
  if (!next || (last && next > last)) return false;
  if (next === migrationNames[1]) await refuseUnreadMetadata(transaction);
  await migrations[next]!.up(database, transaction);
  await sql`INSERT INTO kysely_migration (name, timestamp)
    VALUES (${next}, ${new Date().toISOString()})`.execute(transaction);
  return true;
}

/**
 * Throws when the metadata of old photos is still unread. Only the program version of the baseline reads lens and
 * location of such photos, in the background. The setting holds the highest id that remains.
 */
async function refuseUnreadMetadata(transaction: Transaction): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM settings WHERE name = 'exif unread'`.execute(transaction);
  if (rows.length === 0) return;
  throw new DatabaseUnusable(
    `The Exif of some photos has not been read. Run commit ${baselineCommit} of Lightwell until ` +
      'it no longer logs "read the Exif of photos of an earlier version", then start this version ' +
      'again.',
  );
}

/** Returns the baseline and later migrations, sorted. Undefined for a gallery that is older than the baseline. */
export function listMigrationsSinceBaseline(names: string[]): string[] | undefined {
  const since = names.filter((name) => name >= baselineName).sort();
  return names.length > 0 && since.length === 0 ? undefined : since;
}
