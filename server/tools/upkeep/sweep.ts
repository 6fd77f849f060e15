/**
 * The hourly maintenance run, which deletes expired rows, their objects, and leftovers of crashes. The run is safe in
 * several processes.
 */
import type { Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { forgetOldLinks } from '../../gallery/accounts/links.ts';
import { forgetOldInvites } from '../../gallery/accounts/registration/invites.ts';
import { eraseLeaving } from '../../gallery/admin/erase/erase.ts';
import { purgeOldAttempts } from '../../gallery/identity/attempts/store.ts';
import { forgetOldMail } from '../../gallery/mail/outbox.ts';
import { forgetOldNotifications } from '../../gallery/notifications/forget.ts';
import { deleteOldDownloads } from '../../gallery/shares/downloads.ts';
import { forgetExpiredShares } from '../../gallery/shares/forget.ts';
import { endExpiredUploads } from '../../gallery/uploads/expire.ts';
import { forgetDeliveries } from '../../gallery/webhooks/sweep.ts';
import { createJob } from '../../platform/concurrency/job.ts';
import { levelOf } from '../../platform/db/dialect.ts';
import { takeLease } from '../../platform/db/settings.ts';
import { updateStatistics } from '../../platform/db/statistics.ts';
import { addGauge } from '../../platform/operations/metrics.ts';
import {
  type Brake,
  describeBrake,
  findBrake,
  holdsEverything,
  setBrake,
} from '../../platform/ownership/brake.ts';
import { renewStamp } from '../../platform/ownership/stamp.ts';
import { brakeNow, orphanGraceSeconds, removeOrphans } from './orphans.ts';
import { carryOutRemovals, emptyTrash, endOldSessions, retireOldVersions } from './rows.ts';

/** Number of items that a maintenance run has deleted, by kind. */
export type Swept = Awaited<ReturnType<typeof sweep>>;

export interface SweepOptions {
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
/** Seconds of the lease of a run, slightly less than the hour between two runs. */
const turnSeconds = 3000;
/**
 * Seconds of the lease of the orphan search, which runs once a day, because listing all objects is expensive and not
 * urgent.
 */
const searchTurnSeconds = 82_800;

export async function sweep(deps: Deps, { graceSeconds, stop }: SweepOptions) {
  // Deleting an account starts immediately on request, and the run repeats failed deletions. Only rows are deleted
  // here, and their objects wait for the deletion lock like all objects.
  const { gone: accounts } = await eraseLeaving(deps, stop);
  const isHeld = holdsEverything(await lookAtDatabase(deps));
  const purged = isHeld ? 0 : await emptyTrash(deps, stop);
  const versions = isHeld ? 0 : await retireOldVersions(deps, stop);
  const swept = {
    accounts,
    purged,
    versions,
    sessions: await endOldSessions(deps),
    attempts: await purgeOldAttempts(deps),
    mails: await forgetOldMail(deps),
    links: (await forgetOldLinks(deps)) + (await forgetOldInvites(deps)),
    deliveries: await forgetDeliveries(deps, stop),
    notifications: await forgetOldNotifications(deps, stop),
    shares: await forgetExpiredShares(deps, stop),
    uploads: isHeld ? 0 : await endExpiredUploads(deps, stop),
    // Removals are carried out last, so that the objects of this run's removals are deleted at once.
    objects: isHeld ? 0 : await carryOutRemovals(deps, stop),
    orphans: graceSeconds === undefined ? 0 : await removeOrphans(deps, graceSeconds, stop),
    temporary: await deps.storage.clearTemporary(),
  };
  await deleteOldDownloads(deps);
  const brake = await findBrake(deps);
  if (brake) deps.log.error({ brake }, describeBrake(brake));
  return swept;
}

/**
 * Sets the deletion lock if it is needed, and renews the storage epoch, so that another database's maintenance run
 * notices this one.
 */
async function lookAtDatabase(deps: Deps): Promise<Brake | undefined> {
  const { log } = deps;
  const before = await findBrake(deps);
  const brake = await brakeNow(deps);
  if (brake && brake.reason !== before?.reason) await setBrake(deps, brake);
  // The run continues with a full disk, because deleting objects makes space.
  await renewStamp(deps).catch((error: unknown) => log.warn({ err: error }, 'no new stamp was left'));
  return brake;
}

/**
 * Starts the maintenance runs: one soon after the start, then one every hour, in a single process of the gallery.
 * Returns the function that stops them.
 */
export function startSweep(deps: Deps): () => Promise<void> {
  const job = createJob({
    run: (stop) => sweepInTurn(deps, stop),
    onError: (error) => deps.log[levelOf(error)]({ err: error }, 'the sweep failed, it is tried again'),
    everyMs: intervalMs,
    retryMs,
  });
  job.startIn(firstRunMs);
  return job.stop;
}

async function sweepInTurn(deps: Deps, stop: AbortSignal): Promise<void> {
  const { db, clock, log, storage } = deps;
  // Every process clears its temporary files, because they may be on its own machine.
  await storage.clearTemporary();
  if (!(await takeLease(db, 'sweep', clock(), turnSeconds))) return;
  const searches = await takeLease(db, 'search for objects without a row', clock(), searchTurnSeconds);
  const swept = await sweep(deps, { graceSeconds: searches ? orphanGraceSeconds : undefined, stop });
  if (Object.values(swept).some((count) => count > 0)) log.info(swept, 'swept');
  await updateStatistics(db);
}

export function measureSweep(registry: Registry, { db }: Deps): void {
  addGauge(
    registry,
    'lightwell_removal_held',
    '1: the sweep removes nothing until a person has looked (lightwell orphans)',
    'max',
    async () => ((await findBrake({ db })) ? 1 : 0),
  );
  addGauge(
    registry,
    'lightwell_removal_held_objects',
    'Objects without a row that the sweep does not remove, when they were last counted',
    'max',
    async () => (await findBrake({ db }))?.orphans ?? 0,
  );
}
