/** Whole tables of a gallery, whichever its database. */
import type { BulkDatabase } from './bulk.ts';

/** Opens nothing yet. `url`: `postgres://…`, or undefined for SQLite in `dataDir`. */
export async function bulkDatabase(home: {
  dataDir: string;
  url: string | undefined;
}): Promise<BulkDatabase> {
  return home.url
    ? (await import('./postgres/bulk.ts')).postgresBulk(home.url)
    : (await import('./sqlite/bulk.ts')).sqliteBulk(home.dataDir);
}
