/**
 * In this process, one request at a time works on an upload. A later request ends an earlier one, which most often is
 * that of a dead connection. Other processes do not wait for these locks: see store.ts.
 */
import { within } from '../../platform/concurrency/within.ts';
import { errors } from '../../platform/errors/catalogue.ts';

/** The earlier request stores what it has received, a few megabytes at most. */
const handOverMs = 10_000;

export interface UploadLock {
  /** Ends the request that has the lock soon. The request sets it once there is something to end. */
  stop(): void;
  /** From now on a later request is refused: the file is complete and becomes a photo. */
  isFinishing: boolean;
  release(): void;
}

export function createUploadLocks() {
  const locks = new Map<string, UploadLock & { released: Promise<void> }>();
  const locked = () => errors.uploadLocked({ retryAfter: 1 });

  /** Asks an earlier request to end, and waits until it has. Throws uploadLocked when it does not. */
  async function stopOther(id: string): Promise<void> {
    for (let other = locks.get(id); other; other = locks.get(id)) {
      if (other.isFinishing) throw locked();
      other.stop();
      await within(handOverMs, other.released, locked);
    }
  }

  return {
    stopOther,
    /** Throws uploadLocked. */
    async take(id: string): Promise<UploadLock> {
      // Others may have waited for the same one.
      do await stopOther(id);
      while (locks.has(id));
      const { promise, resolve } = Promise.withResolvers<void>();
      const lock = {
        stop: () => {},
        isFinishing: false,
        released: promise,
        release: () => {
          locks.delete(id);
          resolve();
        },
      };
      locks.set(id, lock);
      return lock;
    },
  };
}
