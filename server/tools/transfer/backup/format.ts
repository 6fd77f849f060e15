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
import { TransferError } from '../errors.ts';

export const backupFormatName = 'lightwell-backup';
export const backupFormatVersion = 1;

export const backupArchivePaths = {
  header: 'lightwell.json',
  manifest: 'manifest.json',
  seal: 'manifest.sha256',
};

/**
 * Maximum bytes of entries that are held in memory, of a line of rows and of a path. An archive with larger entries is
 * refused before they are read. The largest are a manifest that names 200,000 files, and a row with many ranges of a
 * clean copy.
 */
export const maxBackupEntryBytes = {
  header: 1024 * 1024,
  manifest: 16 * 1024 * 1024,
  row: 16 * 1024 * 1024,
  path: 512,
};
/** Maximum number of missing files in a manifest, and of damaged files. */
export const maxNamedFiles = 100_000;

/** Entries between two lists of checksums. A reader holds at most this number of checksums in memory. */
export const entriesPerChecksumList = 1000;

const texts = Type.Array(Type.String());

const BackupHeader = Type.Object({
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
export type BackupHeader = Static<typeof BackupHeader>;

const BackupManifest = Type.Object({
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
export type BackupManifest = Static<typeof BackupManifest>;

export function buildRowsPath(table: string, number: number): string {
  return `rows/${table}/${padNumber(number)}.ndjson`;
}

export function buildChecksumsPath(number: number): string {
  return `checksums/${padNumber(number)}.sha256`;
}

export function buildBackupObjectPath(name: string): string {
  return `files/${name.slice(0, 2)}/${name}`;
}

/** Returns the table of a path like `rows/<table>/…`, or undefined for other paths. */
export function parseTablePath(path: string): string | undefined {
  return /^rows\/(\w+)\/\d+\.ndjson$/.exec(path)?.[1];
}

/** Returns the name of the object at a path, or undefined if the path is not exactly an object's path. */
export function parseObjectPath(path: string): string | undefined {
  const name = /^files\/[0-9a-f]{2}\/(.+)$/.exec(path)?.[1];
  return name && parseObjectName(name) && buildBackupObjectPath(name) === path ? name : undefined;
}

export function checksumLine(sha256: string, path: string): string {
  return `${sha256}  ${path}\n`;
}

/** Parses the header of an archive. Throws TransferError if this version cannot read the archive. */
export function parseBackupHeader(bytes: Buffer): BackupHeader {
  const header = parseJson(bytes) as Partial<BackupHeader> | undefined;
  if (header?.format !== backupFormatName) throw new TransferError('this file is not a backup of a gallery');
  if (header.version !== backupFormatVersion) {
    throw new TransferError(
      `the archive has format ${header.version}, but this program reads format ${backupFormatVersion}`,
    );
  }
  if (!Check(BackupHeader, header)) throw damagedArchiveError('the header has an unknown structure');
  return header;
}

/** Parses the manifest of an archive. Throws TransferError if the manifest is invalid. */
export function parseBackupManifest(bytes: Buffer): BackupManifest {
  const manifest = parseJson(bytes);
  if (!Check(BackupManifest, manifest)) throw damagedArchiveError('the manifest has an unknown structure');
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

export function damagedArchiveError(how: string): TransferError {
  return new TransferError(`the archive is damaged: ${how}`);
}
