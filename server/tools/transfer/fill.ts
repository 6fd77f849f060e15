/** Fills a gallery's database with the rows of another one, or of an archive, in one transaction. */

import { searchTextOf } from '../../gallery/library/search-text.ts';
import type { BulkDatabase, BulkLoader } from '../../platform/db/bulk.ts';
import type { SearchText } from '../../platform/db/search.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { Table, Value } from '../../platform/db/table.ts';
import { createRowDigest, differences, type TableSum } from './digest.ts';
import { MoveError } from './errors.ts';
import { carriedSettings } from './settings.ts';
import { copiedTables } from './tables.ts';

/** Rows of one table; a table's batches come one after the other. */
export interface Batch {
  table: Table;
  rows: Value[][];
}

export interface RowSource {
  tables: Table[];
  batches: AsyncIterable<Batch>;
  /** Asked when all batches have come. */
  highestIds(): Promise<Record<string, number>>;
}

/** Rows of the target that stay, such as the id of its storage. */
export type OwnSettings = Record<string, string>;

export type Sums = Record<string, TableSum>;

/**
 * Replaces whatever an earlier attempt left. No server starts on it before it is complete. Returns what was written;
 * throws when the schemas differ, or when a row refers to one that is not there.
 */
export async function fill(to: BulkDatabase, source: RowSource, own: OwnSettings): Promise<Sums> {
  const tables = await ownTables(to);
  compareSchemas(source.tables, tables);
  const sums = new Map(tables.map(({ name }) => [name, createRowDigest()]));
  await to.load(async (loader) => {
    await loader.clear(tables);
    for await (const { table, rows } of source.batches) {
      const carried = table.name === 'settings' ? carriedSettings(rows) : rows;
      sums.get(table.name)!.add(carried);
      await loader.insert(table, carried);
    }
    await insertOwn(loader, tables, own);
    await loader.keepIds(await source.highestIds());
    await buildIndex(loader);
  });
  return sumsOf(sums);
}

/** Reads all rows back; throws unless they are those that were written. */
export async function verifyRows(to: BulkDatabase, expected: Sums): Promise<void> {
  const found = new Map<string, ReturnType<typeof createRowDigest>>();
  const reader = await to.reader();
  try {
    for (const table of copiedTables(await reader.tables())) {
      const digest = createRowDigest();
      found.set(table.name, digest);
      for await (const rows of reader.read(table)) {
        digest.add(table.name === 'settings' ? carriedSettings(rows) : rows);
      }
    }
  } finally {
    await reader.close();
  }
  const differ = differences(expected, sumsOf(found));
  if (differ.length > 0) throw new Error(`these tables did not arrive as they were: ${differ.join(', ')}`);
}

function sumsOf(digests: Map<string, ReturnType<typeof createRowDigest>>): Sums {
  return Object.fromEntries(Array.from(digests, ([name, digest]) => [name, digest.sum()]));
}

async function ownTables(database: BulkDatabase): Promise<Table[]> {
  const reader = await database.reader();
  try {
    return copiedTables(await reader.tables());
  } finally {
    await reader.close();
  }
}

function compareSchemas(theirs: Table[], ours: Table[]): void {
  const shape = (tables: Table[]) => tables.map(({ name, columns }) => `${name}(${columns.join(', ')})`);
  const known = new Set(shape(ours));
  const unknown = shape(theirs).filter((table) => !known.has(table));
  if (unknown.length > 0 || theirs.length !== ours.length) {
    throw new MoveError(
      `the tables of the two galleries differ: ${unknown.join('; ') || 'one has more of them'}`,
    );
  }
}

async function insertOwn(loader: BulkLoader, tables: Table[], own: OwnSettings): Promise<void> {
  const settings = tables.find(({ name }) => name === 'settings')!;
  await loader.insert(
    settings,
    Object.entries(own).map(([name, value]) => [name, value]),
  );
}

const textColumns = 'id, user_id, visibility, title, description, tags';

/** Photos in the trash are not in the index. */
async function buildIndex(loader: BulkLoader): Promise<void> {
  for await (const rows of loader.query(
    `SELECT ${textColumns} FROM photos WHERE visibility > ${Visibility.trash}`,
  )) {
    await loader.index(rows.map(toSearchText));
  }
}

function toSearchText(row: Value[]): SearchText {
  const [photoId, userId, visibility] = row.slice(0, 3).map(Number) as [number, number, Visibility];
  const [title, description, tags] = row.slice(3).map(String) as [string, string, string];
  const text = searchTextOf({ title, description, tags: JSON.parse(tags) as string[] });
  return { photoId, userId, visibility, text };
}
