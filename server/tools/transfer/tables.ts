/**
 * How each table is treated when a gallery is moved, backed up or restored. A test fails for a table that is not
 * listed.
 */
import type { BulkReader, BulkTable, ColumnValue } from '../../platform/db/bulk.ts';
import {
  finishedTransferSetting,
  setupSettingPrefix,
  unfinishedTransferSetting,
} from '../../platform/db/settings.ts';
import { claimedStorageSetting } from '../../platform/ownership/claim.ts';
import { deletionLockSetting } from '../../platform/ownership/deletion-lock.ts';
import { holdSettingPrefix } from '../../platform/ownership/holds.ts';
import { storageEpochSetting } from '../../platform/ownership/storage-epoch.ts';
import type { TransferProgress } from './progress.ts';

/**
 * Treatment of a table:
 * - copied: copied row by row, including stored totals.
 * - rebuilt: built again from copied rows, because the databases use different structures.
 * - left: not copied, because the rows belong to the database itself or mean nothing elsewhere.
 */
export type TableTreatment = 'copied' | 'rebuilt' | 'left';

export const tableTreatments: Record<string, TableTreatment> = {
  album_photos: 'copied',
  albums: 'copied',
  api_keys: 'copied',
  audit_log: 'copied',
  comment_likes: 'copied',
  comments: 'copied',
  edits: 'copied',
  equipment_names: 'copied',
  // Second factors are encrypted with the gallery's secret, which is copied too, or set by SECRET.
  factors: 'copied',
  favorites: 'copied',
  follows: 'copied',
  identities: 'copied',
  images: 'copied',
  invites: 'copied',
  visibility_jobs: 'copied',
  likes: 'copied',
  // The rows contain hashes of tokens, so links that were already sent continue to work.
  links: 'copied',
  // Waiting mail is copied, because the new location sends it.
  mails: 'copied',
  notifications: 'copied',
  passkeys: 'copied',
  photo_counts: 'copied',
  photo_groups: 'copied',
  photo_metadata: 'copied',
  photo_tags: 'copied',
  photo_totals: 'copied',
  photo_views: 'copied',
  photos: 'copied',
  recovery_codes: 'copied',
  removals: 'copied',
  reports: 'copied',
  sessions: 'copied',
  // Some settings belong to the location and not to the gallery: see `isLocationSetting`.
  settings: 'copied',
  shares: 'copied',
  tag_totals: 'copied',
  // Open uploads are copied, because they count against quotas. Pieces of uploads are copied if they still exist.
  uploads: 'copied',
  upload_pieces: 'copied',
  // A used challenge stays used, so that nobody can sign in with it again at the new location.
  used_challenges: 'copied',
  users: 'copied',
  // Waiting deliveries are copied, because the new location sends them.
  webhook_deliveries: 'copied',
  webhooks: 'copied',

  // The search index of PostgreSQL. SQLite's index consists of virtual tables, which are not listed.
  photo_texts: 'rebuilt',
  // `selections` and `share_downloads` are not copied, because their rows expire after minutes.
  selections: 'left',
  share_downloads: 'left',
  // Only galleries of older versions have the following tables. An archive of an older gallery is restored with its own
  // schema.
  list_changes: 'left',
  list_generations: 'left',
  list_marks: 'left',
  search_moves: 'left',
  size_claims: 'left',
  tag_moves: 'left',
  // The tables of migrations are not copied, because the target's own migrations create its schema.
  kysely_migration: 'left',
  kysely_migration_lock: 'left',
};

/** Returns the tables to copy: all except those listed as rebuilt or left, so that a new table is never omitted. */
export function copiedTables(tables: BulkTable[]): BulkTable[] {
  return tables.filter(({ name }) => (tableTreatments[name] ?? 'copied') === 'copied');
}

/** A batch of rows of one table. All batches of a table follow each other directly. */
export interface RowBatch {
  table: BulkTable;
  rows: ColumnValue[][];
}

/** Yields all rows to copy, table by table. */
export async function* readCopiedRows(
  reader: BulkReader,
  tables: BulkTable[],
  progress?: TransferProgress,
): AsyncGenerator<RowBatch> {
  for (const table of tables) {
    for await (const rows of reader.read(table)) {
      yield filterLocationSettings({ table, rows });
      progress?.step(rows.length);
    }
  }
}

/** Returns a batch without the settings that belong to the old location. */
export function filterLocationSettings({ table, rows }: RowBatch): RowBatch {
  return { table, rows: table.name === 'settings' ? removeLocationSettings(rows) : rows };
}

/** Counts the rows of all given tables, for showing progress. */
export async function countCopiedRows(reader: BulkReader, tables: BulkTable[]): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    for await (const [row] of reader.query(`SELECT count(*) FROM "${name}"`)) total += Number(row![0]);
  }
  return total;
}

/**
 * Removes the settings of the old location from rows of `settings`. The columns are in alphabetical order: name, value.
 */
export function removeLocationSettings(rows: ColumnValue[][]): ColumnValue[][] {
  return rows.filter(([name]) => !isLocationSetting(String(name)));
}

const locationSettings = [
  claimedStorageSetting,
  unfinishedTransferSetting,
  finishedTransferSetting,
  storageEpochSetting,
  deletionLockSetting,
];

function isLocationSetting(name: string): boolean {
  return (
    locationSettings.includes(name) ||
    [holdSettingPrefix, setupSettingPrefix].some((prefix) => name.startsWith(prefix))
  );
}
