/**
 * How often links were opened: counted in memory and written together several times a second, so that opening
 * one does not wait for the disk, as photos do (ADR 0006).
 */
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';

const flushMs = 250;

export interface ShareViews {
  count(shareId: number): void;
  /** Resolves when everything counted so far is in the database: call it before reading. Never rejects. */
  flush(): Promise<void>;
}

export function createShareViews({ db, log }: Deps): ShareViews {
  let counts = new Map<number, number>();
  let last: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function add(shareId: number, n: number): void {
    counts.set(shareId, (counts.get(shareId) ?? 0) + n);
    timer ??= setTimeout(flush, flushMs).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    last = last.then(writePending);
    return last;
  }

  async function writePending(): Promise<void> {
    if (counts.size === 0) return;
    const taken = counts;
    counts = new Map();
    try {
      await write(db, taken);
    } catch (error) {
      log.warn({ err: error }, 'views of shares were not written; trying again');
      for (const [shareId, n] of taken) add(shareId, n);
    }
  }

  return { count: (shareId) => add(shareId, 1), flush };
}

async function write(db: Deps['db'], counts: Map<number, number>): Promise<void> {
  await db.kysely.transaction().execute(async (transaction) => {
    // In the order of their ids: two processes that write the same shares cannot wait for each other.
    for (const [shareId, n] of [...counts].sort(([one], [other]) => one - other)) {
      await transaction
        .updateTable('shares')
        .set({ views: sql<number>`views + ${n}` })
        .where('id', '=', shareId)
        .execute();
    }
  });
}
