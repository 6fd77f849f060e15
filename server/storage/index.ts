/**
 * Where the bytes lie. A handful of functions over streams, the same for every driver; no path of a file
 * leaves the disk driver, except that of a temporary file, which imaging reads.
 */
import type { Readable } from 'node:stream';
import { openDiskStorage } from './disk.ts';

/** A byte range, `start` included, `end` excluded. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  name: string;
  size: number;
  /** Unix seconds since when it is in its place. */
  modified: number;
}

/** A file under way: written once, then given to `put` or discarded. */
export interface TemporaryFile {
  /** Absolute path, for imaging. */
  path: string;
  discard(): Promise<void>;
}

export interface Storage {
  /** Random, made once and kept with the objects: `files/claim.ts` compares it with the database's. */
  id: string;
  /** An empty temporary file on the same volume as the objects. */
  temporary(): Promise<TemporaryFile>;
  /**
   * Stores objects, all of them durably before it resolves: bytes, names and folders are on the disk.
   * A temporary file is moved, not copied, and is gone afterwards, also when it throws.
   * Throws `errors.noSpace` when the volume is full, `errors.busy` when it is out of reach; then none of the
   * objects exist.
   */
  put(objects: { name: string; source: Buffer | TemporaryFile }[]): Promise<void>;
  /** Opens an object for reading, or undefined when there is none. */
  open(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** The whole object, or undefined when there is none. For small objects (renditions). */
  read(name: string): Promise<Buffer | undefined>;
  /** A local file with the object's bytes, for imaging; `release` when done. */
  local(name: string): Promise<{ path: string; release(): Promise<void> } | undefined>;
  stat(name: string): Promise<StoredObject | undefined>;
  /** Removes an object; not an error when there is none. */
  remove(name: string): Promise<void>;
  /** The names of all objects, in batches of at most a thousand, those of one key together. */
  list(): AsyncIterable<string[]>;
  /** Removes temporary files of processes that are gone; returns how many. Done at `openStorage` too. */
  clearTemporary(): Promise<number>;
  /** Resolves when the storage can be read and written; throws otherwise. */
  ping(): Promise<void>;
}

/** Opens the storage below `dataDir`; removes temporary files that a crash left. */
export function openStorage(options: { dataDir: string }): Promise<Storage> {
  return openDiskStorage(options.dataDir);
}
