/** The periodic task: what is due for removal goes, and what a crash left over. Safe to run in several processes. */
import type { Deps } from '../deps.ts';
import { forgetDeliveries } from '../webhooks/sweep.ts';
import { removeOrphans } from './sweep-orphans.ts';
import { carryOutRemovals, emptyTrash, endOldSessions, retireOldVersions } from './sweep-rows.ts';

/** How many of each were removed. */
export interface Swept {
  purged: number;
  versions: number;
  sessions: number;
  deliveries: number;
  objects: number;
  orphans: number;
  temporary: number;
}

export interface SweepOptions {
  /**
   * Seconds that an object without a row is left alone; undefined: such objects are not looked for. Zero is for a
   * server that nobody uploads to: it also hits objects whose row is about to be written.
   */
  graceSeconds: number | undefined;
  /** Ends the sweep between two batches. */
  stop?: AbortSignal;
}

/**
 * A day. An upload needs seconds between its objects and its row; the rest is for people: whoever restored the
 * wrong backup of the database has a day to notice before the newer photos' bytes are gone.
 */
export const orphanGraceSeconds = 86_400;

const firstRunMs = 30_000;
const intervalMs = 3_600_000;
/** Walking all objects is the costly part, and nothing waits for it: once a day. */
const runsPerOrphanSearch = 24;

export async function sweep(deps: Deps, { graceSeconds, stop }: SweepOptions): Promise<Swept> {
  const purged = await emptyTrash(deps, stop);
  const versions = await retireOldVersions(deps, stop);
  return {
    purged,
    versions,
    sessions: await endOldSessions(deps),
    deliveries: await forgetDeliveries(deps, stop),
    // After the two that write removals, so that these are carried out at once.
    objects: await carryOutRemovals(deps, stop),
    orphans: graceSeconds === undefined ? 0 : await removeOrphans(deps, graceSeconds, stop),
    temporary: await deps.storage.clearTemporary(),
  };
}

/** Sweeps soon after the start and then every hour, one at a time. The function it returns ends that. */
export function startSweep(deps: Deps): () => Promise<void> {
  const stopping = new AbortController();
  let run = 0;
  let running: Promise<void> = Promise.resolve();
  let timer = setTimeout(next, firstRunMs).unref();

  function next(): void {
    const graceSeconds = run++ % runsPerOrphanSearch === 0 ? orphanGraceSeconds : undefined;
    running = sweepAndLog(deps, { graceSeconds, stop: stopping.signal }).then(() => {
      if (!stopping.signal.aborted) timer = setTimeout(next, intervalMs).unref();
    });
  }

  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
  };
}

async function sweepAndLog(deps: Deps, options: SweepOptions): Promise<void> {
  try {
    const swept = await sweep(deps, options);
    if (Object.values(swept).some((count) => count > 0)) deps.log.info(swept, 'swept');
  } catch (error) {
    deps.log.error({ err: error }, 'the sweep failed, it is tried again in an hour');
  }
}
