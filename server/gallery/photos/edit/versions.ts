/** Limits the replaced image versions of a photo, because each version can be larger than the original. */
import type { Deps } from '../../../deps.ts';
import { queueRemovals } from '../../../platform/db/removals.ts';
import type { PhotoRow, Transaction } from '../../../platform/db/tables.ts';
import { blocksAllDeletion, findOrDeriveDeletionLock } from '../../../platform/ownership/deletion-lock.ts';
import { areObjectsHeld } from '../../../platform/ownership/holds.ts';
import { listImageObjectNames } from '../../delivery/objects.ts';
import { refundQuota } from '../upload/quota.ts';

/**
 * Maximum number of replaced versions that stay available for their hour. If there are more, the oldest are deleted at
 * once.
 */
const maxReplaced = 5;

/**
 * Deletes the rows of surplus versions; the caller has locked the photo. Returns the names of their objects, which
 * `removeSurplusObjects` deletes after the commit.
 */
export async function deleteSurplusVersions(
  transaction: Transaction,
  photo: PhotoRow,
  now: number,
): Promise<string[]> {
  const surplus = await transaction
    .selectFrom('images')
    .selectAll()
    .where('photo_id', '=', photo.id)
    .where('kind', '=', 'edit')
    .where('expire_time', 'is not', null)
    .where('key', '!=', photo.image_key)
    .orderBy('expire_time', 'desc')
    .orderBy('edit_id', 'desc')
    .offset(maxReplaced)
    .limit(100)
    .forUpdate()
    .execute();
  if (surplus.length === 0) return [];
  const objects = surplus.flatMap(listImageObjectNames);
  const keys = surplus.map(({ key }) => key);
  await transaction.deleteFrom('images').where('key', 'in', keys).execute();
  await queueRemovals(transaction, objects, now);
  await refundQuota(transaction, photo.user_id, surplus);
  return objects;
}

/**
 * Deletes objects of surplus versions at once, because edits could fill the storage before the next hourly maintenance
 * run. Objects that cannot be deleted wait for that run. During a deletion lock all objects wait, because the right
 * database may still show them (ADR 21).
 */
export async function removeSurplusObjects(deps: Deps, objects: string[]): Promise<void> {
  if (objects.length === 0) return;
  try {
    if (blocksAllDeletion(await findOrDeriveDeletionLock(deps)) || (await areObjectsHeld(deps))) return;
    for (const object of objects) await deps.storage.remove(object);
    await deps.db.kysely.deleteFrom('removals').where('object', 'in', objects).execute();
  } catch (error) {
    deps.log.warn({ err: error }, 'replaced image versions are left for the maintenance run to delete');
  }
}
