/**
 * Background job that reads stored photos again after an upgrade, one photo at a time, in one process of the gallery.
 * Uploads and other picture jobs go first. The rows say which photos are left, so that the job resumes after a kill.
 */
import type { Registry } from 'prom-client';
import type { Deps } from '../../../deps.ts';
import { createBackgroundJob } from '../../../platform/concurrency/job.ts';
import { logLevelFor } from '../../../platform/db/dialect.ts';
import { acquireWorkLease } from '../../../platform/db/settings.ts';
import { AbandonedJobError, QueueFullError } from '../../../platform/imaging/errors.ts';
import { addGauge } from '../../../platform/operations/metrics.ts';
import { countPhotosToRead, findPhotosToRead, rereadPhoto } from './reread.ts';

const firstRunMs = 2000;
/** Milliseconds after which the job looks for photos of another process that ended, and for a free lease. */
const pauseMs = 60_000;
/** Milliseconds until the job goes on after a failure, or while it has more to do than one lease allows. */
const retryMs = 15_000;
const photosAtOnce = 50;
const leaseSeconds = 30;

/** Starts the job, and returns a function that stops the job after the current photo. */
export function startRereading(deps: Deps): () => Promise<void> {
  let counts = { read: 0, passedOver: 0 };
  const job = createBackgroundJob({
    async run(stop) {
      if (await rereadPhotos(deps, counts, stop)) counts = { read: 0, passedOver: 0 };
    },
    onError: (error) => {
      if (error instanceof AbandonedJobError || error instanceof QueueFullError) return;
      deps.log[logLevelFor(error)](
        { err: error },
        'stored photos could not be read again, and are tried again',
      );
    },
    everyMs: pauseMs,
    retryMs,
  });
  job.startIn(firstRunMs);
  return job.stop;
}

export interface RereadCounts {
  read: number;
  passedOver: number;
}

/**
 * Reads photos again until none is left, and returns true. Returns false if `stop` was aborted, or another process does
 * the work. Adds to `counts`. Throws an error that may pass.
 */
export async function rereadPhotos(deps: Deps, counts: RereadCounts, stop?: AbortSignal): Promise<boolean> {
  const { db, clock, log } = deps;
  let leaseEnd = 0;
  for (;;) {
    const photos = await findPhotosToRead(deps, photosAtOnce);
    if (photos.length === 0) {
      if (counts.read + counts.passedOver > 0) log.info(counts, 'all stored photos have been read again');
      return true;
    }
    for (const photo of photos) {
      if (stop?.aborted) return false;
      if (clock() >= leaseEnd) {
        if (!(await acquireWorkLease(db, 'reading photos again', clock(), leaseSeconds))) return false;
        leaseEnd = clock() + leaseSeconds;
        log.info({ ...counts, left: await countPhotosToRead(deps) }, 'stored photos are read again');
      }
      const outcome = await rereadPhoto(deps, photo, stop);
      if (outcome === 'read') counts.read++;
      else counts.passedOver++;
    }
  }
}

export function registerRereadMetrics(registry: Registry, deps: Deps): void {
  addGauge(
    registry,
    'lightwell_photos_to_read',
    'Stored photos whose files wait to be read again after an upgrade',
    'max',
    () => countPhotosToRead(deps),
  );
}
