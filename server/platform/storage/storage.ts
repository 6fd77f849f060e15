/**
 * Where the bytes lie. A handful of functions over streams, the same for every driver; no path of a file
 * leaves the disk driver, except that of a temporary file, which imaging reads.
 */
import type { Readable } from 'node:stream';

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

export interface ObjectToPut {
  name: string;
  source: Buffer | TemporaryFile;
  /** Hex, where it is known: drivers that send the bytes elsewhere refuse to send others. */
  sha256?: string;
}

export interface SignedAddress {
  url: string;
  /** Unix seconds. */
  expires: number;
}

export interface Storage {
  /** Random, made once and kept with the objects: `platform/ownership/claim.ts` compares it with the database's. */
  id: string;
  /** Where the id is kept, for messages. */
  marker: string;
  /** The folder or the bucket, for messages: without keys. */
  place: string;
  /** An empty temporary file on the local disk, with the disk driver on the volume of the objects. */
  temporary(): Promise<TemporaryFile>;
  /**
   * Stores objects, all of them durably before it resolves: bytes, names and folders are on the disk, or the
   * store has confirmed them and their checksums.
   * A temporary file is moved, not copied, and is gone afterwards, also when it throws.
   * Throws StorageFull or StorageUnavailable; then none of the
   * objects exist.
   */
  put(objects: ObjectToPut[]): Promise<void>;
  /**
   * Opens an object for reading, or undefined when there is none. Of S3, whole objects are verified while they are
   * read: wrong or missing bytes make the stream fail before its end. A range cannot be.
   */
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
  /** A short text kept beside the objects (platform/ownership/stamp.ts); undefined when there is none yet. */
  readStamp(): Promise<string | undefined>;
  writeStamp(stamp: string): Promise<void>;
  /** Only where browsers are to fetch objects themselves: where, for a few minutes. `now` in Unix seconds. */
  addressOf?(name: string, as: { mime: string; now: number }): Promise<SignedAddress>;
  /** And of which origin those addresses are, for the policies of pages. */
  imageOrigin?: string;
}
