/** Reads the Exif of an original that lies in the storage, as an upload does. */
import type { Deps } from '../../../deps.ts';
import type { Caller } from '../../../platform/concurrency/fair-order.ts';
import { retry } from '../../../platform/concurrency/retry.ts';
import { ImageError, QueueFullError } from '../../../platform/imaging/errors.ts';
import type { Exif } from '../../../platform/imaging/jobs.ts';
import { objectName } from '../../../platform/storage/keys.ts';

/** What stands before the pixels of a JPEG; a few put more there. Other formats may have their Exif at the end. */
const headBytes = 512 * 1024;

/** A store that is asked too much says so for a moment. */
const maxAttempts = 3;
const pauseMs = 2000;

/** In the imaging queue: behind uploads, with one share for all photos. */
const caller: Caller = { name: 'exif', address: '' };

export interface Original {
  key: string;
  extension: string;
}

export type Reading = Exif | 'missing' | 'unreadable';

/** Throws what may pass: the storage is out of reach, too many pictures wait. */
export async function readOriginal(deps: Deps, { key, extension }: Original): Promise<Reading> {
  const name = objectName(key, 'original', extension);
  try {
    return await retry(
      () => readStored(deps, name, extension),
      (_, failures) => (failures < maxAttempts ? pauseMs : undefined),
    );
  } catch (error) {
    if (error instanceof QueueFullError) throw error;
    // The storage is there: then it is this object that cannot be read.
    await deps.storage.ping();
    deps.log.warn({ err: error, object: name }, 'the Exif of an original could not be read');
    return 'unreadable';
  }
}

async function readStored(deps: Deps, name: string, extension: string): Promise<Reading> {
  const head = extension === 'jpg' ? await read(deps, name, headBytes) : 'unreadable';
  return head === 'unreadable' ? read(deps, name) : head;
}

async function read(deps: Deps, name: string, bytes?: number): Promise<Reading> {
  const { storage, imaging } = deps;
  const file = await storage.local(name, bytes);
  if (!file) {
    await storage.ping();
    return 'missing';
  }
  try {
    return await imaging.exif(file.path, { caller, isBehind: true });
  } catch (error) {
    if (error instanceof ImageError) return 'unreadable';
    throw error;
  } finally {
    await file.release();
  }
}
