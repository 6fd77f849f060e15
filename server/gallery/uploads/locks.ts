/**
 * Locks of the uploads in this process: only one request at a time writes to an upload. A later request stops an
 * earlier one, which usually belongs to a dead connection. Other processes do not wait for these locks: see store.ts.
 */
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import { errors } from '../../platform/errors/catalogue.ts';

/**
 * Milliseconds that a later request waits for an earlier one, which first stores its last bytes, a few megabytes at
 * most.
 */
const maxHandOverMs = 10_000;

export interface UploadLock {
  /**
   * Asks the request that has the lock to stop soon. The request sets this function when it begins to read its body.
   */
  stop(): void;
  /** True while the complete file becomes a photo. A later request is refused during that time. */
  isFinishing: boolean;
  release(): void;
}

export function createUploadLocks() {
  const locks = new Map<string, UploadLock & { released: Promise<void> }>();
  const locked = () => errors.uploadLocked({ retryAfter: 1 });

  /**
   * Asks an earlier request to stop, and waits until the lock is free. Throws uploadLocked if the earlier request
   * continues.
   */
  async function stopOther(id: string): Promise<void> {
    for (let other = locks.get(id); other; other = locks.get(id)) {
      if (other.isFinishing) throw locked();
      other.stop();
      await withTimeout(maxHandOverMs, other.released, locked);
    }
  }

  return {
    stopOther,
    /** Takes the lock of an upload. Throws uploadLocked if an earlier request continues. */
    async acquire(id: string): Promise<UploadLock> {
      // Another request may have waited for the same lock and taken the lock first.
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
