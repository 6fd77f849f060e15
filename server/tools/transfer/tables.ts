/** What becomes of each table when a gallery is carried elsewhere. A test fails for a table that is not named. */
import type { Table } from '../../platform/db/table.ts';

/**
 * - copied: row by row; totals that triggers keep included, since triggers are put aside meanwhile.
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
  favorites: 'copied',
  follows: 'copied',
  images: 'copied',
  library_moves: 'copied',
  album_moves: 'copied',
  likes: 'copied',
  notification_totals: 'copied',
  notifications: 'copied',
  photo_tags: 'copied',
  photo_totals: 'copied',
  photos: 'copied',
  removals: 'copied',
  reports: 'copied',
  sessions: 'copied',
  // Some of its rows are of a place and not of the gallery: see settings.ts.
  settings: 'copied',
  shares: 'copied',
  tag_totals: 'copied',
  users: 'copied',
  // What waits to be delivered is delivered from the new home.
  webhook_deliveries: 'copied',
  webhooks: 'copied',

  // PostgreSQL's search index. SQLite's consists of virtual tables, which are not listed at all.
  photo_texts: 'rebuilt',
  // Photos whose row in the index is outdated: none, in an index that was just made.
  search_moves: 'left',
  // Filled and emptied within one transaction, on SQLite.
  tag_moves: 'left',
  // The schema is made by the target's own migrations.
  kysely_migration: 'left',
  kysely_migration_lock: 'left',
};

/** The tables to copy: all but those listed as rebuilt or left, so that a new table is not forgotten. */
export function copiedTables(tables: Table[]): Table[] {
  return tables.filter(({ name }) => (treatments[name] ?? 'copied') === 'copied');
}
