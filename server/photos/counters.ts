/**
 * Views and downloads: counted in memory and written together several times a second, so that reading a photo
 * does not wait for the disk. A crash may lose the last quarter of a second of them, and nothing else (ADR 0006).
 */
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../db/index.ts';

const flushMs = 250;

export interface Counts {
  views: number;
  downloads: number;
}

export interface Counters {
  /** Counts one, and resolves when what is pending and what is in the database do not overlap. */
  count(photoId: number, what: keyof Counts): Promise<void>;
  /** Counted but not yet in the photo's row. */
  pending(photoId: number): Counts;
  /** Writes everything that is pending. */
  flush(): Promise<void>;
}

const none: Counts = { views: 0, downloads: 0 };

export function createCounters(db: Database, log: Logger): Counters {
  let counts = new Map<number, Counts>();
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function add(photoId: number, { views, downloads }: Counts): void {
    const before = counts.get(photoId) ?? none;
    counts.set(photoId, { views: before.views + views, downloads: before.downloads + downloads });
    timer ??= setTimeout(flush, flushMs).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await writing;
    if (counts.size === 0) return;
    const taken = counts;
    counts = new Map();
    writing = write(db, taken)
      .catch((error: unknown) => {
        log.warn({ err: error }, 'views and downloads were not written; trying again');
        for (const [photoId, lost] of taken) add(photoId, lost);
      })
      .finally(() => {
        writing = undefined;
      });
    await writing;
  }

  return {
    async count(photoId, what) {
      add(photoId, { ...none, [what]: 1 });
      if (writing) await writing;
    },
    pending: (photoId) => counts.get(photoId) ?? none,
    flush,
  };
}

async function write(db: Database, counts: Map<number, Counts>): Promise<void> {
  await db.kysely.transaction().execute(async (transaction) => {
    // In the order of their ids: two processes that write the same photos cannot wait for each other.
    const sorted = [...counts].sort(([one], [other]) => one - other);
    for (const [photoId, { views, downloads }] of sorted) {
      await transaction
        .updateTable('photos')
        .set({ views: sql<number>`views + ${views}`, downloads: sql<number>`downloads + ${downloads}` })
        .where('id', '=', photoId)
        .execute();
    }
  });
}
