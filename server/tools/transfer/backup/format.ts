/**
 * The archive of a gallery is a plain tar with these entries in this order:
 *
 * - `lightwell.json`: the header with format, id, migrations, and tables with their columns.
 * - `rows/<table>/<n>.ndjson`: rows, one array of values per line, in the order of the columns.
 * - `files/<2 digits>/<object>`: objects, with the same paths as in a gallery's folder.
 * - `checksums/<n>.sha256`: checksums of the last thousand entries, readable by `sha256sum -c`.
 * - `manifest.json`: counts and checksums of the whole archive.
 * - `manifest.sha256`: the checksum of the manifest.
 */
import type { Static } from 'typebox';
import { Check } from 'typebox/schema';
import { Type } from '../../../platform/schema/type.ts';
import { parseObjectName } from '../../../platform/storage/keys.ts';
import { MoveError } from '../errors.ts';

export const formatName = 'lightwell-backup';
export const formatVersion = 1;

export const archivePaths = { header: 'lightwell.json', manifest: 'manifest.json', seal: 'manifest.sha256' };

/**
 * Maximum bytes of entries that are held in memory, of a line of rows and of a path. An archive with larger entries is
 * refused before they are read. The largest are a manifest that names 200,000 files, and a row with many ranges of a
 * clean copy.
 */
export const maxEntryBytes = {
  header: 1024 * 1024,
  manifest: 16 * 1024 * 1024,
  row: 16 * 1024 * 1024,
  path: 512,
};
/** Maximum number of missing files in a manifest, and of damaged files. */
export const maxNamed = 100_000;

/** Entries between two lists of checksums. A reader holds at most this number of checksums in memory. */
export const entriesPerList = 1000;

const texts = Type.Array(Type.String());

const ArchiveHeader = Type.Object({
  format: Type.String(),
  version: Type.Integer(),
  /** Random id of the archive. An unfinished restore can continue only with the same archive. */
  id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  /** Time when the rows were read, in ISO 8601. */
  created: Type.String(),
  migrations: texts,
  /** Columns of each table, by the table's name. */
  tables: Type.Record(Type.String(), texts),
});
export type ArchiveHeader = Static<typeof ArchiveHeader>;

const Manifest = Type.Object({
  /** Number of entries before the manifest, without the lists of checksums. */
  entries: Type.Integer(),
  objects: Type.Integer(),
  /** SHA-256 of the concatenated lists of checksums. */
  checksums: Type.String(),
  tables: Type.Record(Type.String(), Type.Object({ rows: Type.Integer(), digest: Type.String() })),
  highestIds: Type.Record(Type.String(), Type.Number()),
  /** Objects that rows name but the gallery lacked. `damaged` lists objects whose bytes did not match their row. */
  missing: texts,
  damaged: texts,
});
export type Manifest = Static<typeof Manifest>;

export function rowsPath(table: string, number: number): string {
  return `rows/${table}/${padNumber(number)}.ndjson`;
}

export function checksumsPath(number: number): string {
  return `checksums/${padNumber(number)}.sha256`;
}

export function objectPath(name: string): string {
  return `files/${name.slice(0, 2)}/${name}`;
}

/** Returns the table of a path like `rows/<table>/…`, or undefined for other paths. */
export function parseTablePath(path: string): string | undefined {
  return /^rows\/(\w+)\/\d+\.ndjson$/.exec(path)?.[1];
}

/** Returns the name of the object at a path, or undefined if the path is not exactly an object's path. */
export function parseObjectPath(path: string): string | undefined {
  const name = /^files\/[0-9a-f]{2}\/(.+)$/.exec(path)?.[1];
  return name && parseObjectName(name) && objectPath(name) === path ? name : undefined;
}

export function checksumLine(sha256: string, path: string): string {
  return `${sha256}  ${path}\n`;
}

/** Parses the header of an archive. Throws MoveError if this version cannot read the archive. */
export function parseHeader(bytes: Buffer): ArchiveHeader {
  const header = parseJson(bytes) as Partial<ArchiveHeader> | undefined;
  if (header?.format !== formatName) throw new MoveError('this file is not a backup of a gallery');
  if (header.version !== formatVersion) {
    throw new MoveError(
      `the archive has format ${header.version}, but this program reads format ${formatVersion}`,
    );
  }
  if (!Check(ArchiveHeader, header)) throw damagedArchiveError('the header has an unknown structure');
  return header;
}

/** Parses the manifest of an archive. Throws MoveError if the manifest is invalid. */
export function parseManifest(bytes: Buffer): Manifest {
  const manifest = parseJson(bytes);
  if (!Check(Manifest, manifest)) throw damagedArchiveError('the manifest has an unknown structure');
  return manifest;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function padNumber(number: number): string {
  return String(number).padStart(6, '0');
}

export function damagedArchiveError(how: string): MoveError {
  return new MoveError(`the archive is damaged: ${how}`);
}
