/**
 * Brings the schema up to date: numbered migrations, forward only, all that are missing in one transaction. Safe to
 * run in several processes at once. The table is that of Kysely's migrator, whose own locks outlive a transaction.
 */
import { sql, type Transaction } from 'kysely';
import { retry } from '../concurrency/retry.ts';
import { DatabaseUnavailable, DatabaseUnusable, type OpenedDatabase } from './dialect.ts';
import * as core from './migrations/0001_core.ts';
import * as albums from './migrations/0002_albums.ts';
import * as comments from './migrations/0003_comments.ts';
import * as people from './migrations/0004_people.ts';
import * as apiKeys from './migrations/0005_api_keys.ts';
import * as admin from './migrations/0006_admin.ts';
import * as webhooks from './migrations/0007_webhooks.ts';
import * as bulk from './migrations/0008_bulk.ts';
import * as checksums from './migrations/0009_checksums.ts';
import * as replacedOriginals from './migrations/0010_replaced_originals.ts';
import * as libraryMoves from './migrations/0011_library_moves.ts';
import * as countedVersions from './migrations/0012_counted_versions.ts';
import * as foldAgain from './migrations/0013_fold.ts';
import * as albumMoves from './migrations/0014_album_moves.ts';
import * as photoDetails from './migrations/0015_photo_details.ts';
import * as queries from './migrations/0016_queries.ts';
import * as uploads from './migrations/0017_uploads.ts';
import * as photoGroups from './migrations/0018_photo_groups.ts';
import * as shares from './migrations/0019_shares.ts';
import * as queryIndex from './migrations/0020_query_index.ts';
import * as sizes from './migrations/0021_sizes.ts';
import * as selections from './migrations/0022_selections.ts';
import * as smartAlbums from './migrations/0023_smart_albums.ts';
import * as queryIndexIds from './migrations/0024_query_index_ids.ts';
import * as invites from './migrations/0025_invites.ts';
import * as passkeys from './migrations/0026_passkeys.ts';
import * as mails from './migrations/0027_mails.ts';
import * as factors from './migrations/0028_factors.ts';
import * as identities from './migrations/0029_identities.ts';
import * as attempts from './migrations/0030_attempts.ts';
import * as endedTies from './migrations/0031_ended_ties.ts';
import * as provenTies from './migrations/0032_proven_ties.ts';
import * as userLanguages from './migrations/0033_languages.ts';
import * as narrowTexts from './migrations/0034_narrow_texts.ts';
import * as claimedAdmins from './migrations/0035_claimed_admins.ts';
import * as listMarks from './migrations/0036_list_marks.ts';
import * as itemVersions from './migrations/0037_item_versions.ts';
import * as selectionMakers from './migrations/0038_selection_makers.ts';
import * as renditionCharges from './migrations/0039_rendition_charges.ts';
import * as boundedActs from './migrations/0040_bounded_acts.ts';
import * as noSizeClaims from './migrations/0045_no_size_claims.ts';
import type { Up } from './migrations/up.ts';
import type { Tables } from './tables.ts';

const migrations: Record<string, { up: Up }> = {
  '0001_core': core,
  '0002_albums': albums,
  '0003_comments': comments,
  '0004_people': people,
  '0005_api_keys': apiKeys,
  '0006_admin': admin,
  '0007_webhooks': webhooks,
  '0008_bulk': bulk,
  '0009_checksums': checksums,
  '0010_replaced_originals': replacedOriginals,
  '0011_library_moves': libraryMoves,
  '0012_counted_versions': countedVersions,
  '0013_fold': foldAgain,
  '0014_album_moves': albumMoves,
  '0015_photo_details': photoDetails,
  '0016_queries': queries,
  '0017_uploads': uploads,
  '0018_photo_groups': photoGroups,
  '0019_shares': shares,
  '0020_query_index': queryIndex,
  '0021_sizes': sizes,
  '0022_selections': selections,
  '0023_smart_albums': smartAlbums,
  '0024_query_index_ids': queryIndexIds,
  '0025_invites': invites,
  '0026_passkeys': passkeys,
  '0027_mails': mails,
  '0028_factors': factors,
  '0029_identities': identities,
  '0030_attempts': attempts,
  '0031_ended_ties': endedTies,
  '0032_proven_ties': provenTies,
  '0033_languages': userLanguages,
  '0034_narrow_texts': narrowTexts,
  '0035_claimed_admins': claimedAdmins,
  '0036_list_marks': listMarks,
  '0037_item_versions': itemVersions,
  '0038_selection_makers': selectionMakers,
  '0039_rendition_charges': renditionCharges,
  '0040_bounded_acts': boundedActs,
  '0045_no_size_claims': noSizeClaims,
};

/** How long to wait for another process that holds SQLite, perhaps because it migrates a large gallery. */
const timeoutMs = 600_000;
const pauseMs = 100;

/** In their order: what a current schema has seen. */
export const migrationNames = Object.keys(migrations);

/**
 * Throws when a migration fails (then nothing was changed), or when the database is newer than this program. `last`:
 * stops after this one, for tests of upgrades and for galleries that are restored as an earlier version left them.
 */
export async function migrate(database: OpenedDatabase, last?: string): Promise<void> {
  const end = performance.now() + timeoutMs;
  const isBusy = (error: unknown) => error instanceof DatabaseUnavailable && error.mayRunAgain;
  await retry(
    () => database.kysely.transaction().execute((transaction) => bringUp(database, transaction, last)),
    (error) => (isBusy(error) && performance.now() <= end ? pauseMs : undefined),
  );
}

async function bringUp(
  database: OpenedDatabase,
  transaction: Transaction<Tables>,
  last: string | undefined,
): Promise<void> {
  await database.lockSchema(transaction);
  await sql`CREATE TABLE IF NOT EXISTS kysely_migration
    (name varchar(255) PRIMARY KEY NOT NULL, timestamp varchar(255) NOT NULL)`.execute(transaction);
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(transaction);
  const done = new Set(rows.map(({ name }) => name));
  for (const name of done) {
    if (!migrations[name])
      throw new DatabaseUnusable(
        `The database is newer than this program, which knows no migration ${name}.`,
      );
  }
  for (const [name, { up }] of Object.entries(migrations)) {
    if (!done.has(name)) {
      await up(database, transaction);
      await sql`INSERT INTO kysely_migration (name, timestamp)
        VALUES (${name}, ${new Date().toISOString()})`.execute(transaction);
    }
    if (name === last) return;
  }
}
