/** Opens the storage that the configuration names: a folder or a bucket. */
import { type CallTimes, createCallTimes } from '../process/call-times.ts';
import { openDiskStorage } from './disk/disk.ts';
import type { S3Keys } from './s3/client.ts';
import type { Storage } from './storage.ts';

export interface StorageOptions {
  dataDir: string;
  /** Storage URL, `s3://…`. Undefined selects files below `dataDir`. */
  url?: string | undefined;
  keys?: S3Keys | undefined;
  redirect?: boolean;
  /**
   * Opens an existing storage for reading only, and creates and writes nothing. Throws StorageUnusable when there is no
   * gallery's storage.
   */
  isReadOnly?: boolean;
}

/** Opens the storage and removes temporary files that a crash left behind. Throws StorageUnusable. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { dataDir, url, keys, redirect, isReadOnly } = options;
  if (url === undefined) return openDiskStorage(dataDir, isReadOnly);
  // The S3 client is large, so it is loaded only when it is used.
  const { openS3Storage } = await import('./s3/s3.ts');
  return openS3Storage({ dataDir, url, keys, redirect: redirect === true, isReadOnly });
}

export interface TimedStorage extends Storage {
  /** Times of the storage's calls. The name of a call is the name of its function. */
  calls: CallTimes;
}

const timedFunctions = ['put', 'open', 'read', 'openLocalFile', 'stat', 'remove', 'ping'] as const;

/** Returns the same storage, whose calls are timed. A call of `open` ends when the object's first bytes may be read. */
export function timeStorage(storage: Storage): TimedStorage {
  const calls = createCallTimes();
  const timed = timedFunctions.map((name) => {
    const call = storage[name] as (...args: unknown[]) => Promise<unknown>;
    return [name, (...args: unknown[]) => calls.time(name, () => call(...args))];
  });
  return { ...storage, ...Object.fromEntries(timed), calls };
}
