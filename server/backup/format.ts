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
import type { TableSum } from '../move/digest.ts';
import { MoveError } from '../move/errors.ts';
import { parseObjectName } from '../storage/keys.ts';

export const formatName = 'lightwell-backup';
export const formatVersion = 1;

export const paths = { header: 'lightwell.json', manifest: 'manifest.json', seal: 'manifest.sha256' };

/** Entries between two lists of checksums: what a reader remembers at most. */
export const entriesPerList = 1000;

export interface Header {
  format: string;
  version: number;
  /** Random: tells an unfinished restore of this archive from that of another. */
  id: string;
  /** ISO 8601: when the rows were read. */
  created: string;
  migrations: string[];
  /** Table → its columns. */
  tables: Record<string, string[]>;
}

export interface Manifest {
  /** Before the manifest, lists of checksums not counted. */
  entries: number;
  objects: number;
  /** SHA-256 of all lists of checksums, one after the other. */
  checksums: string;
  tables: Record<string, TableSum>;
  highestIds: Record<string, number>;
  /** Objects that rows name and the gallery did not have, and those whose bytes were not what the row says. */
  missing: string[];
  damaged: string[];
}

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

export function isChecksumsPath(path: string): boolean {
  return path.startsWith('checksums/');
}

/** A line of a list of checksums. */
export function checksumLine(sha256: string, path: string): string {
  return `${sha256}  ${path}\n`;
}

/** Throws a MoveError when this program cannot read such an archive. */
export function parseHeader(bytes: Buffer): Header {
  let header: Partial<Header> = {};
  try {
    header = JSON.parse(bytes.toString()) as Partial<Header>;
  } catch {
    // Said below.
  }
  if (header.format !== formatName) throw new MoveError('this is not the archive of a gallery');
  if (header.version !== formatVersion) {
    throw new MoveError(`the archive is of format ${header.version}; this program reads ${formatVersion}`);
  }
  return header as Header;
}

function numbered(number: number): string {
  return String(number).padStart(6, '0');
}
