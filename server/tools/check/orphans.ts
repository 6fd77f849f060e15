/**
 * Checks for orphans by the rules of the maintenance run: older than the grace period, checked twice, and kept during a
 * deletion lock.
 */
import type { Deps } from '../../deps.ts';
import { type DeletionLock, describeDeletionLock } from '../../platform/ownership/deletion-lock.ts';
import {
  filterObjectsWithoutRow,
  filterOlderObjects,
  findCurrentDeletionLock,
  findDeletionLockReason,
  findOrphans,
  type OrphanReport,
  orphanGraceSeconds,
  removeObjectsByName,
} from '../maintenance/orphans.ts';
import type { CheckContext } from './findings.ts';

export async function checkOrphans({ deps, progress, report }: CheckContext): Promise<void> {
  progress.begin('objects compared with rows');
  const found = await findOrphans(deps, {
    graceSeconds: orphanGraceSeconds,
    onStep: (objects) => progress.step(objects),
  });
  const deletionLock = await findLockFor(deps, found);
  if (deletionLock)
    await report({
      kind: 'removal-held',
      subject: 'deletion lock',
      detail: describeDeletionLock(deletionLock),
    });
  for (const name of await filterObjectsWithoutRow(deps, found.names)) {
    await report({
      kind: 'object-without-row',
      subject: name,
      detail: '',
      ...(!deletionLock && { repair: () => removeOrphan(deps, name) }),
    });
  }
}

/** Returns the current deletion lock, or the lock that the next maintenance run would set. */
async function findLockFor(deps: Deps, found: OrphanReport): Promise<DeletionLock | undefined> {
  const { objects, orphans } = found;
  const deletionLock = await findCurrentDeletionLock(deps);
  const reason = deletionLock?.reason ?? (await findDeletionLockReason(deps, found));
  return reason && { reason, since: deletionLock?.since ?? deps.clock(), objects, orphans };
}

async function removeOrphan(deps: Deps, name: string): Promise<boolean> {
  const old = await filterOlderObjects(deps, [name], orphanGraceSeconds);
  return (await removeObjectsByName(deps, old)) > 0;
}
