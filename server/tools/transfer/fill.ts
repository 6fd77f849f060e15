/** Fills a database with the rows of another gallery or of an archive, in one transaction. */
import { buildSearchTexts } from '../../gallery/library/search-text.ts';
import {
  type BulkDatabase,
  type BulkLoader,
  type BulkTable,
  type ColumnValue,
  withBulkReader,
} from '../../platform/db/bulk.ts';
import type { PhotoSearchText } from '../../platform/db/search.ts';
import { Visibility } from '../../platform/db/states.ts';
import { createTableDigests, findDifferentTables, type TableDigests } from './digest.ts';
import { TransferError } from './errors.ts';
import { copiedTables, filterLocationSettings, type RowBatch, readCopiedRows } from './tables.ts';

export interface CopiedRowSource {
  tables: BulkTable[];
  batches: AsyncIterable<RowBatch>;
  /** Returns the highest id of each table. Called after all batches. */
  highestIds(): Promise<Record<string, number>>;
}

/**
 * Settings of the target, by name, such as the id of its storage. These settings are not copied from the source.
 */
export type LocationSettings = Record<string, string>;

/**
 * Fills a database and replaces the rows of an earlier attempt. No server starts with the database before it is
 * complete. Returns the sums of the rows. Throws an error if the schemas differ or a row refers to a missing row.
 */
export async function fillDatabase(
  to: BulkDatabase,
  source: CopiedRowSource,
  locationSettings: LocationSettings,
): Promise<TableDigests> {
  const tables = copiedTables(await withBulkReader(to, (reader) => reader.tables()));
  compareSchemas(source.tables, tables);
  const digests = createTableDigests(tables);
  await to.load(async (loader) => {
    await loader.clear(tables);
    for await (const given of source.batches) {
      const batch = filterLocationSettings(given);
      digests.add(batch);
      await loader.insert(batch.table, batch.rows);
    }
    await insertLocationSettings(loader, tables, locationSettings);
    await loader.advanceIdSequences(await source.highestIds());
    await buildIndex(loader, tables);
  });
  return digests.sums();
}

/** Reads all rows from the database, and throws an error if the rows differ from the expected sums. */
export async function verifyDatabaseRows(to: BulkDatabase, expected: TableDigests): Promise<void> {
  const found = await withBulkReader(to, async (reader) => {
    const tables = copiedTables(await reader.tables());
    const digests = createTableDigests(tables);
    for await (const batch of readCopiedRows(reader, tables)) digests.add(batch);
    return digests.sums();
  });
  const differ = findDifferentTables(expected, found);
  if (differ.length > 0)
    throw new Error(`these tables differ from the source after the copy: ${differ.join(', ')}`);
}

function compareSchemas(theirs: BulkTable[], ours: BulkTable[]): void {
  const shape = (tables: BulkTable[]) => tables.map(({ name, columns }) => `${name}(${columns.join(', ')})`);
  const known = new Set(shape(ours));
  const unknown = shape(theirs).filter((table) => !known.has(table));
  if (unknown.length > 0 || theirs.length !== ours.length) {
    throw new TransferError(
      `the tables of the two galleries differ: ${unknown.join('; ') || 'one gallery has more tables'}`,
    );
  }
}

async function insertLocationSettings(
  loader: BulkLoader,
  tables: BulkTable[],
  locationSettings: LocationSettings,
): Promise<void> {
  const settings = tables.find(({ name }) => name === 'settings')!;
  await loader.insert(
    settings,
    Object.entries(locationSettings).map(([name, value]) => [name, value]),
  );
}

/** Builds the search index. Photos in the trash are not included. */
async function buildIndex(loader: BulkLoader, tables: BulkTable[]): Promise<void> {
  const { columns } = tables.find(({ name }) => name === 'photos')!;
  // An archive of an earlier version has no names of places.
  const places = columns.includes('place_names') ? 'place_names' : `''`;
  for await (const rows of loader.query(
    `SELECT id, user_id, visibility, title, description, tags, file_name, ${places} AS place_names
      FROM photos WHERE visibility > ${Visibility.trash}`,
  )) {
    await loader.index(rows.map(toSearchText));
  }
}

function toSearchText(row: ColumnValue[]): PhotoSearchText {
  const [photoId, userId, visibility] = row.slice(0, 3).map(Number) as [number, number, Visibility];
  const [title = '', description = '', tags = '[]', file_name = '', place_names = ''] = row
    .slice(3)
    .map(String);
  const words = { title, description, tags: JSON.parse(tags) as string[], file_name, place_names };
  const texts = buildSearchTexts(words);
  return { photoId, userId, visibility, ...texts };
}
