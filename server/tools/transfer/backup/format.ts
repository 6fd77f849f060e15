/**
 * The archive of a gallery, a plain tar, in this order:
 *
 *   lightwell.json               what it is: format, id, migrations, tables with their columns
 *   rows/<table>/<n>.ndjson      rows, an array of values a line, in the order of the columns
 *   files/<2 digits>/<object>    pictures, as the folder of a gallery has them
 *   checksums/<n>.sha256         after every thousand entries, theirs; `sha256sum -c` reads it
 *   manifest.json                counts and sums of everything
 *   manifest.sha256              the manifest's own
 */
import type { Static } from 'typebox';
import { Check } from 'typebox/schema';
import { Type } from '../../../platform/schema/type.ts';
import { parseObjectName } from '../../../platform/storage/keys.ts';
import { MoveError } from '../errors.ts';

export const formatName = 'lightwell-backup';
export const formatVersion = 1;

export const paths = { header: 'lightwell.json', manifest: 'manifest.json', seal: 'manifest.sha256' };

/**
 * What one entry may be at most where it is held in memory, and a line of rows; an archive that claims more is refused
 * before it is read. Widest are a manifest that names 200,000 files, and a row with the pieces of a clean copy.
 */
export const maxBytes = { header: 1024 * 1024, manifest: 16 * 1024 * 1024, row: 16 * 1024 * 1024, path: 512 };
/** A manifest names so many missing and damaged files each. */
export const maxNamed = 100_000;

/** Entries between two lists of checksums: what a reader remembers at most. */
export const entriesPerList = 1000;

const texts = Type.Array(Type.String());

const Header = Type.Object({
  format: Type.String(),
  version: Type.Integer(),
  /** Random: tells an unfinished restore of this archive from that of another. */
  id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  /** ISO 8601: when the rows were read. */
  created: Type.String(),
  migrations: texts,
  /** Table → its columns. */
  tables: Type.Record(Type.String(), texts),
});
export type Header = Static<typeof Header>;

const Manifest = Type.Object({
  /** Before the manifest, lists of checksums not counted. */
  entries: Type.Integer(),
  objects: Type.Integer(),
  /** SHA-256 of all lists of checksums, one after the other. */
  checksums: Type.String(),
  tables: Type.Record(Type.String(), Type.Object({ rows: Type.Integer(), digest: Type.String() })),
  highestIds: Type.Record(Type.String(), Type.Number()),
  /** Objects that rows name and the gallery did not have, and those whose bytes were not what the row says. */
  missing: texts,
  damaged: texts,
});
export type Manifest = Static<typeof Manifest>;

export function rowsPath(table: string, number: number): string {
  return `rows/${table}/${numbered(number)}.ndjson`;
}

export function checksumsPath(number: number): string {
  return `checksums/${numbered(number)}.sha256`;
}

export function objectPath(name: string): string {
  return `files/${name.slice(0, 2)}/${name}`;
}

/** The table of a path of rows, undefined for other paths. */
export function tableOfPath(path: string): string | undefined {
  return /^rows\/(\w+)\/\d+\.ndjson$/.exec(path)?.[1];
}

/** The object of a path; undefined for what is not exactly an object's. */
export function objectOfPath(path: string): string | undefined {
  const name = /^files\/[0-9a-f]{2}\/(.+)$/.exec(path)?.[1];
  return name && parseObjectName(name) && objectPath(name) === path ? name : undefined;
}

export function checksumLine(sha256: string, path: string): string {
  return `${sha256}  ${path}\n`;
}

/** Throws a MoveError when this program cannot read such an archive. */
export function parseHeader(bytes: Buffer): Header {
  const header = parsed(bytes) as Partial<Header> | undefined;
  if (header?.format !== formatName) throw new MoveError('this is not the archive of a gallery');
  if (header.version !== formatVersion) {
    throw new MoveError(`the archive is of format ${header.version}; this program reads ${formatVersion}`);
  }
  if (!Check(Header, header)) throw damaged('its header has another shape');
  return header;
}

/** Throws a MoveError when it is none. */
export function parseManifest(bytes: Buffer): Manifest {
  const manifest = parsed(bytes);
  if (!Check(Manifest, manifest)) throw damaged('its manifest has another shape');
  return manifest;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function numbered(number: number): string {
  return String(number).padStart(6, '0');
}

export function damaged(how: string): MoveError {
  return new MoveError(`the archive is damaged: ${how}`);
}
