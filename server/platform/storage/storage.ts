/**
 * Interface of the storage for image files: a few functions over streams, the same for each driver. File paths stay
 * inside the disk driver, except paths of temporary files, which imaging reads.
 */
import type { Readable } from 'node:stream';

/** A range of bytes. `start` is included, `end` is excluded. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  name: string;
  size: number;
  /** Time since when the object is stored under its name, in Unix seconds. */
  modified: number;
}

/** A temporary file that is written once, then passed to `put` or discarded. */
export interface TemporaryFile {
  /** Absolute path of the temporary file, for imaging. */
  path: string;
  discard(): Promise<void>;
}

export interface ObjectToPut {
  name: string;
  source: Buffer | TemporaryFile;
  /** Expected SHA-256 in hex, if known. Drivers that send bytes over the network refuse to send other bytes. */
  sha256?: string;
}

export interface SignedObjectUrl {
  url: string;
  /** Time when the signed URL expires, in Unix seconds. */
  expires: number;
}

export interface Storage {
  /**
   * Random id of the storage, created once and stored with the objects. `platform/ownership/claim.ts` compares this id
   * with the one in the database.
   */
  id: string;
  /** Description of the file that holds the id, for messages. */
  marker: string;
  /** Description of the folder or bucket for messages, without access keys. */
  location: string;
  /** Weaknesses of the storage, as sentences for the operator. */
  warnings: string[];
  /**
   * Creates an empty temporary file on the local disk. With the disk driver, the file lies on the volume of the
   * objects.
   */
  temporary(): Promise<TemporaryFile>;
  /**
   * Stores either all objects or none. Resolves when all objects are durable: their bytes, names and folders are on the
   * disk, or the S3 store has confirmed their checksums. Temporary files of the objects no longer exist afterwards,
   * also after an error. Throws StorageFull or StorageUnavailable.
   */
  put(objects: ObjectToPut[]): Promise<void>;
  /**
   * Opens an object for reading. Returns undefined if the object does not exist. The S3 driver verifies whole objects
   * while they are read: wrong or missing bytes make the stream fail before its end. A range cannot be verified.
   */
  open(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /**
   * Returns the bytes of a whole object, or undefined if there is no such object. Meant for small objects such as
   * renditions.
   */
  read(name: string): Promise<Buffer | undefined>;
  /** Returns a local file with the object's bytes, for imaging. The caller must call `release` when done. */
  openLocalFile(name: string): Promise<{ path: string; release(): Promise<void> } | undefined>;
  stat(name: string): Promise<StoredObject | undefined>;
  /** Removes an object. Succeeds also if there is no such object. */
  remove(name: string): Promise<void>;
  /** Yields the names of all objects in batches of at most 1,000. The names of one key come together. */
  list(): AsyncIterable<string[]>;
  /** Removes temporary files of processes that have ended, and returns their number. `openStorage` does the same. */
  clearTemporary(): Promise<number>;
  /** Resolves when the storage can be read and written. Throws otherwise. */
  ping(): Promise<void>;
  /**
   * Returns the storage epoch, a short text stored beside the objects (`platform/ownership/storage-epoch.ts`).
   * Undefined before the first epoch.
   */
  readEpoch(): Promise<string | undefined>;
  writeEpoch(epoch: string): Promise<void>;
  /**
   * Returns a signed URL from which browsers fetch the object directly, valid for a few minutes. Present only if the
   * setting for redirects is on. `now` is in Unix seconds.
   */
  signAddress?(name: string, as: { mime: string; now: number }): Promise<SignedObjectUrl>;
  /** Origin of the signed URLs, for the content security policies of pages. */
  imageOrigin?: string;
}
