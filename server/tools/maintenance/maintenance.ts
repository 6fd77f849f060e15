/**
 * The hourly maintenance run, which deletes expired rows, their objects, and leftovers of crashes. The run is safe in
 * several processes.
 */
import type { Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { purgeExpiredLinks } from '../../gallery/accounts/links.ts';
import { purgeOldInvites } from '../../gallery/accounts/registration/invites.ts';
import { eraseDeletedUsers } from '../../gallery/admin/erase/erase.ts';
import { purgeOldAuditAttempts } from '../../gallery/identity/attempts/store.ts';
import { purgeOldMail } from '../../gallery/mail/outbox.ts';
import { purgeOldNotifications } from '../../gallery/notifications/purge.ts';
import { deleteOldShareDownloads } from '../../gallery/shares/downloads.ts';
import { purgeExpiredShares } from '../../gallery/shares/purge.ts';
import { deleteExpiredUploads } from '../../gallery/uploads/expire.ts';
import { purgeDeliveries } from '../../gallery/webhooks/purge.ts';
import { createBackgroundJob } from '../../platform/concurrency/job.ts';
import { logLevelFor } from '../../platform/db/dialect.ts';
import { type ClockJump, recordObservedTime } from '../../platform/db/observed-time.ts';
import { acquireWorkLease } from '../../platform/db/settings.ts';
import { updatePlannerStatistics } from '../../platform/db/statistics.ts';
import { timeText } from '../../platform/http/time.ts';
import { addGauge } from '../../platform/operations/metrics.ts';
import {
  blocksAllDeletion,
  type DeletionLock,
  describeDeletionLock,
  findDeletionLock,
  setDeletionLock,
} from '../../platform/ownership/deletion-lock.ts';
import { renewStorageEpoch } from '../../platform/ownership/storage-epoch.ts';
import { findCurrentDeletionLock, orphanGraceSeconds, removeOrphans } from './orphans.ts';
import {
  deleteExpiredImageVersions,
  deleteRemovedObjects,
  purgeExpiredTrash,
  purgeOldSessions,
} from './rows.ts';

/** Number of items that a maintenance run has deleted, by kind. */
export type MaintenanceCounts = Awaited<ReturnType<typeof runMaintenance>>;

export interface MaintenanceOptions {
  /**
   * Seconds before an object without a row counts as an orphan; undefined means that no orphans are searched. Zero is
   * only for a server without running uploads, because it also removes objects whose row is about to be committed.
   */
  graceSeconds: number | undefined;
  /** Signal that stops the maintenance run between two batches. */
  stop?: AbortSignal;
}

const firstRunMs = 30_000;
const intervalMs = 3_600_000;
/** Milliseconds before a failed maintenance run is retried, because the failure may be temporary. */
const retryMs = 60_000;
/** Name of the lease of a run. */
const maintenanceLease = 'sweep';
/** Seconds of the lease of a run, slightly less than the hour between two runs. */
const maintenanceLeaseSeconds = 3000;
/**
 * Seconds of the lease of the orphan search, which runs once a day, because listing all objects is expensive and not
 * urgent.
 */
const searchLeaseSeconds = 82_800;

const clockJumpWarning =
  'The clock is more than a day ahead of the time that the servers last recorded. What fell due in between is ' +
  'deleted after the servers have run for a day. If the clock is wrong, set it right.';

export async function runMaintenance(deps: Deps, { graceSeconds, stop }: MaintenanceOptions) {
  // Deleting an account starts immediately on request, and the run repeats failed deletions. Only rows are deleted
  // here, and their objects wait for the deletion lock like all objects.
  const { gone: accounts } = await eraseDeletedUsers(deps, stop);
  const isHeld = blocksAllDeletion(await updateDeletionLock(deps));
  const purged = isHeld ? 0 : await purgeExpiredTrash(deps, stop);
  const versions = isHeld ? 0 : await deleteExpiredImageVersions(deps, stop);
  const swept = {
    accounts,
    purged,
    versions,
    sessions: await purgeOldSessions(deps),
    attempts: await purgeOldAuditAttempts(deps),
    mails: await purgeOldMail(deps),
    links: (await purgeExpiredLinks(deps)) + (await purgeOldInvites(deps)),
    deliveries: await purgeDeliveries(deps, stop),
    notifications: await purgeOldNotifications(deps, stop),
    shares: await purgeExpiredShares(deps, stop),
    uploads: isHeld ? 0 : await deleteExpiredUploads(deps, stop),
    // Removals are carried out last, so that the objects of this run's removals are deleted at once.
    objects: isHeld ? 0 : await deleteRemovedObjects(deps, stop),
    orphans: graceSeconds === undefined ? 0 : await removeOrphans(deps, graceSeconds, stop),
    temporary: await deps.storage.clearTemporary(),
  };
  await deleteOldShareDownloads(deps);
  const deletionLock = await findDeletionLock(deps);
  if (deletionLock) deps.log.error({ deletionLock }, describeDeletionLock(deletionLock));
  return swept;
}

/**
 * Sets the deletion lock if it is needed, and renews the storage epoch, so that another database's maintenance run
 * notices this one.
 */
async function updateDeletionLock(deps: Deps): Promise<DeletionLock | undefined> {
  const { log } = deps;
  const before = await findDeletionLock(deps);
  const deletionLock = await findCurrentDeletionLock(deps);
  if (deletionLock && deletionLock.reason !== before?.reason) await setDeletionLock(deps, deletionLock);
  // The run continues with a full disk, because deleting objects makes space.
  await renewStorageEpoch(deps).catch((error: unknown) =>
    log.warn({ err: error }, 'the maintenance run could not write a new storage epoch'),
  );
  return deletionLock;
}

/**
 * Starts the maintenance runs: one soon after the start, then one every hour, in a single process of the gallery.
 * Returns the function that stops them.
 */
export function startMaintenance(deps: Deps): () => Promise<void> {
  const job = createBackgroundJob({
    run: (stop) => runScheduledMaintenance(deps, stop),
    onError: (error) =>
      deps.log[logLevelFor(error)]({ err: error }, 'the maintenance run failed, and is tried again'),
    everyMs: intervalMs,
    retryMs,
  });
  job.startIn(firstRunMs);
  return job.stop;
}

export async function runScheduledMaintenance(deps: Deps, stop?: AbortSignal): Promise<void> {
  const { db, clock, log, storage } = deps;
  // Every process deletes temporary files on its disk, because processes on other machines cannot reach that disk.
  await storage.clearTemporary();
  const { time, jump, isNew } = await recordObservedTime(deps, maintenanceLease);
  if (jump && isNew) log.warn({ ...describeClockJump(jump) }, clockJumpWarning);
  if (!(await acquireWorkLease(db, maintenanceLease, clock(), maintenanceLeaseSeconds))) return;
  const searches = await acquireWorkLease(
    db,
    'search for objects without a row',
    clock(),
    searchLeaseSeconds,
  );
  const deletionTime = jump ? jump.from : time;
  const swept = await runMaintenance(
    { ...deps, clock: () => deletionTime },
    { graceSeconds: searches ? orphanGraceSeconds : undefined, ...(stop && { stop }) },
  );
  if (Object.values(swept).some((count) => count > 0)) log.info(swept, 'swept');
  await updatePlannerStatistics(db);
}

function describeClockJump({ from, to }: ClockJump) {
  return { from: timeText(from), to: timeText(to) };
}

export function registerMaintenanceMetrics(registry: Registry, { db }: Deps): void {
  addGauge(
    registry,
    'lightwell_removal_held',
    '1: maintenance deletes nothing until an operator has looked (lightwell orphans)',
    'max',
    async () => ((await findDeletionLock({ db })) ? 1 : 0),
  );
  addGauge(
    registry,
    'lightwell_removal_held_objects',
    'Objects without a row that maintenance does not delete, at the last count',
    'max',
    async () => (await findDeletionLock({ db }))?.orphans ?? 0,
  );
}
