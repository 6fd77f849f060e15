/** What becomes of each table when a gallery is carried elsewhere. A test fails for a table that is not named. */
import type { BulkReader, Table, Value } from '../../platform/db/bulk.ts';
import { arrivedSetting, setupPrefix, unfinishedSetting } from '../../platform/db/settings.ts';
import { brakeSetting } from '../../platform/ownership/brake.ts';
import { storageSetting } from '../../platform/ownership/claim.ts';
import { holdPrefix } from '../../platform/ownership/holds.ts';
import { stampSetting } from '../../platform/ownership/stamp.ts';
import type { Progress } from './progress.ts';

/**
 * - copied: row by row, kept totals included.
 * - rebuilt: made again from copied rows, since each database has its own kind.
 * - left: belongs to the database itself, or means nothing elsewhere.
 */
export type Treatment = 'copied' | 'rebuilt' | 'left';

export const treatments: Record<string, Treatment> = {
  albums: 'copied',
  api_keys: 'copied',
  audit_log: 'copied',
  comment_likes: 'copied',
  comments: 'copied',
  edits: 'copied',
  equipment_names: 'copied',
  // Sealed by the gallery's secret, which is carried, too, or set by SECRET.
  factors: 'copied',
  favorites: 'copied',
  follows: 'copied',
  identities: 'copied',
  images: 'copied',
  invites: 'copied',
  visibility_jobs: 'copied',
  likes: 'copied',
  // Hashes: who has a link may go on with it.
  links: 'copied',
  // What waits is sent from the new home.
  mails: 'copied',
  notifications: 'copied',
  passkeys: 'copied',
  photo_counts: 'copied',
  photo_groups: 'copied',
  photo_tags: 'copied',
  photo_totals: 'copied',
  photo_views: 'copied',
  photos: 'copied',
  recovery_codes: 'copied',
  removals: 'copied',
  reports: 'copied',
  sessions: 'copied',
  // Some of its rows are of a place and not of the gallery: see `isOfPlace`.
  settings: 'copied',
  shares: 'copied',
  tag_totals: 'copied',
  // They count against quotas. Their pieces are carried as long as they are there.
  uploads: 'copied',
  upload_pieces: 'copied',
  // Nobody signs in once more with what signed them in just before.
  used_challenges: 'copied',
  users: 'copied',
  // What waits to be delivered is delivered from the new home.
  webhook_deliveries: 'copied',
  webhooks: 'copied',

  // PostgreSQL's search index. SQLite's consists of virtual tables, which are not listed at all.
  photo_texts: 'rebuilt',
  // Good for minutes.
  selections: 'left',
  share_downloads: 'left',
  // Only galleries of earlier versions have these: an archive of one is restored as that version left it.
  list_changes: 'left',
  list_generations: 'left',
  list_marks: 'left',
  search_moves: 'left',
  size_claims: 'left',
  tag_moves: 'left',
  // The schema is made by the target's own migrations.
  kysely_migration: 'left',
  kysely_migration_lock: 'left',
};

/** The tables to copy: all but those listed as rebuilt or left, so that a new table is not forgotten. */
export function copiedTables(tables: Table[]): Table[] {
  return tables.filter(({ name }) => (treatments[name] ?? 'copied') === 'copied');
}

/** Rows of one table; a table's batches come one after the other. */
export interface Batch {
  table: Table;
  rows: Value[][];
}

/** All rows that are carried elsewhere, table by table. */
export async function* carriedRows(
  reader: BulkReader,
  tables: Table[],
  progress?: Progress,
): AsyncGenerator<Batch> {
  for (const table of tables) {
    for await (const rows of reader.read(table)) {
      yield carried({ table, rows });
      progress?.step(rows.length);
    }
  }
}

/** Without what belongs to the place that it comes from. */
export function carried({ table, rows }: Batch): Batch {
  return { table, rows: table.name === 'settings' ? carriedSettings(rows) : rows };
}

/** Rows of these tables altogether: only for showing how far something is. */
export async function countRows(reader: BulkReader, tables: Table[]): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    for await (const [row] of reader.query(`SELECT count(*) FROM "${name}"`)) total += Number(row![0]);
  }
  return total;
}

/** Takes and gives rows of `settings`, columns in alphabetical order: name, value. */
export function carriedSettings(rows: Value[][]): Value[][] {
  return rows.filter(([name]) => !isOfPlace(String(name)));
}

const ofPlace = [storageSetting, unfinishedSetting, arrivedSetting, stampSetting, brakeSetting];

function isOfPlace(name: string): boolean {
  return ofPlace.includes(name) || [holdPrefix, setupPrefix].some((prefix) => name.startsWith(prefix));
}
