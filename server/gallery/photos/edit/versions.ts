/** Bounds what the versions of one photo hold that edits replaced: each may be as large as an original, and larger. */
import type { Deps } from '../../../deps.ts';
import { queueRemovals } from '../../../platform/db/removals.ts';
import type { PhotoRow, Transaction } from '../../../platform/db/tables.ts';
import { brakeByStamp, holdsEverything } from '../../../platform/ownership/brake.ts';
import { areObjectsHeld } from '../../../platform/ownership/holds.ts';
import { objectsOf } from '../../delivery/objects.ts';
import { refundQuota } from '../upload/quota.ts';

/** Versions of a photo that wait for their hour to end; of more, those that were replaced first go at once. */
const maxReplaced = 5;

/** The photo is locked. Returns the objects, which `removeRetired` removes once this is committed. */
export async function retireSurplus(
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
  const objects = surplus.flatMap(objectsOf);
  const keys = surplus.map(({ key }) => key);
  await transaction.deleteFrom('images').where('key', 'in', keys).execute();
  await queueRemovals(transaction, objects, now);
  await refundQuota(transaction, photo.user_id, surplus);
  return objects;
}

/**
 * Not at the next sweep, an hour away: until then edits could fill the storage. What fails waits for the sweep, and so
 * does everything while the brake is on: the right database may still show what was replaced in this one (ADR 21).
 */
export async function removeRetired(deps: Deps, objects: string[]): Promise<void> {
  if (objects.length === 0) return;
  try {
    if (holdsEverything(await brakeByStamp(deps)) || (await areObjectsHeld(deps))) return;
    for (const object of objects) await deps.storage.remove(object);
    await deps.db.kysely.deleteFrom('removals').where('object', 'in', objects).execute();
  } catch (error) {
    deps.log.warn({ err: error }, 'replaced versions wait for the sweep');
  }
}
