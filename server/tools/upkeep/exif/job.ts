/** Reads what is left unread in the background, in one of the gallery's processes at a time. */
import type { Deps } from '../../../deps.ts';
import { createJob } from '../../../platform/concurrency/job.ts';
import { levelOf } from '../../../platform/db/dialect.ts';
import { findSetting, takeLease } from '../../../platform/db/settings.ts';
import { findBrake } from '../../../platform/ownership/brake.ts';
import { type Counts, readBatch, unreadSetting } from './batch.ts';

/** After what a start has to do. */
const firstRunMs = 40_000;
const pauseMs = 10_000;
const retryMs = 60_000;
/** A process works for most of its lease; then it is anybody's again. A batch takes seconds at most. */
const leaseSeconds = 60;
const workSeconds = 45;

/** Nothing is asked any more once all is read. What it returns ends it. */
export function startExifReading(deps: Deps): () => Promise<void> {
  const job = createJob({
    async run(stop) {
      if (await isDone(deps)) return;
      await readInTurn(deps, stop);
      job.startIn(pauseMs);
    },
    onError: (error) => deps.log[levelOf(error)]({ err: error }, 'reading Exif failed, it is tried again'),
    retryMs,
  });
  job.startIn(firstRunMs);
  return job.stop;
}

async function isDone({ db }: Deps): Promise<boolean> {
  return (await findSetting(db, unreadSetting)) === undefined;
}

async function readInTurn(deps: Deps, stop: AbortSignal): Promise<void> {
  const { db, clock, log } = deps;
  // The storage may be another gallery's, without the originals of this one.
  if (await findBrake(deps)) return;
  if (!(await takeLease(db, unreadSetting, clock(), leaseSeconds))) return;
  const end = clock() + workSeconds;
  const counts = await readUnread(deps, () => stop.aborted || clock() >= end);
  log.info(counts, 'read the Exif of photos of an earlier version');
}

/** Until nothing is left, or `isOver` says so between two batches. */
export async function readUnread(deps: Deps, isOver: () => boolean = () => false): Promise<Counts> {
  const all: Counts = { read: 0, changed: 0, missing: 0, unreadable: 0 };
  while (!isOver()) {
    const batch = await readBatch(deps);
    if (!batch) break;
    for (const [name, count] of Object.entries(batch)) all[name as keyof Counts] += count;
  }
  return all;
}
