/** Lists the objects that the rows of a gallery name, with their checksums. */
import { listImageObjectNames } from '../../gallery/delivery/objects.ts';
import { isSizeName } from '../../gallery/delivery/sizes.ts';
import type { BulkReader, ColumnValue } from '../../platform/db/bulk.ts';
import type { ImageRow } from '../../platform/db/tables.ts';

export interface NamedObject {
  name: string;
  /** SHA-256 in hex, or undefined. Only originals have a checksum in their row. */
  sha256: string | undefined;
  /**
   * True if the object may be missing: one that waits for its removal, belongs to an unfinished upload, or can be
   * rendered again.
   */
  isOptional: boolean;
}

/** All objects of one image version, or one avatar, which are stored together. */
export type ObjectGroup = NamedObject[];

/** Reader of a database with any version of the schema. */
type Reader = Pick<BulkReader, 'query' | 'tables'>;

/** Tables whose objects may be deleted at any time. */
const transientObjects = ['removals', 'upload_pieces'];

const imageColumns = ['key', 'kind', 'extension', 'preview_extension', 'full_extension', 'sizes'] as const;

/** Yields the objects in the order of their keys, so that interrupted work can continue at a key. */
export async function* yieldNamedObjects(reader: Reader): AsyncGenerator<ObjectGroup> {
  const { query } = reader;
  const known = (await reader.tables()).find(({ name }) => name === 'images')?.columns ?? [];
  const columns = imageColumns.filter((column) => known.includes(column));
  const images = query(`SELECT ${columns.map((column) => `i.${column}`).join(', ')},
    CASE WHEN p.original_key = i.key THEN p.sha256 ELSE '' END
    FROM images i JOIN photos p ON p.id = i.photo_id ORDER BY i.key`);
  for await (const rows of images) for (const row of rows) yield toObjectGroup(columns, row);
  for await (const rows of query(`SELECT avatar FROM users WHERE avatar <> '' ORDER BY avatar`)) {
    for (const [name] of rows) yield [{ name: String(name), sha256: undefined, isOptional: false }];
  }
  for (const table of await passingIn(reader)) {
    for await (const rows of query(`SELECT object FROM ${table} ORDER BY object`)) {
      for (const [name] of rows) yield [{ name: String(name), sha256: undefined, isOptional: true }];
    }
  }
}

export async function countObjectGroups(reader: Reader): Promise<number> {
  const more = (await passingIn(reader)).map((table) => ` + (SELECT count(*) FROM ${table})`);
  const counts = reader.query(`SELECT (SELECT count(*) FROM images) +
    (SELECT count(*) FROM users WHERE avatar <> '')${more.join('')}`);
  for await (const [row] of counts) return Number(row![0]);
  return 0;
}

/** Returns the tables of `passing` that exist, because the database of an earlier version has fewer. */
async function passingIn(reader: Reader): Promise<string[]> {
  const names = (await reader.tables()).map(({ name }) => name);
  return transientObjects.filter((table) => names.includes(table));
}

function toObjectGroup(columns: string[], row: ColumnValue[]): ObjectGroup {
  const image = Object.fromEntries(columns.map((column, at) => [column, row[at]]));
  const sha256 = String(row[columns.length]) || undefined;
  return listImageObjectNames(image as unknown as ImageRow).map((name) => ({
    name,
    sha256: name.includes('.original.') ? sha256 : undefined,
    isOptional: isSizeName(name),
  }));
}
