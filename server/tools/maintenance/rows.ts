/** Parts of the maintenance run that start from rows. Each photo or image version has its own short transaction. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { listImageObjectNames } from '../../gallery/delivery/objects.ts';
import { lockPhoto } from '../../gallery/library/locks.ts';
import { type PurgeCondition, purgePhoto } from '../../gallery/photos/trash/purge.ts';
import { refundQuota } from '../../gallery/photos/upload/quota.ts';
import { collectSucceeded, inBatches, rowsPerBatch, type StopSignal } from '../../platform/db/batches.ts';
import { yieldPagesByColumn } from '../../platform/db/pages.ts';
import { countRows } from '../../platform/db/rows.ts';
import { Visibility } from '../../platform/db/states.ts';
import { areObjectsHeld } from '../../platform/ownership/holds.ts';
import { filterUnusedObjects } from './orphans.ts';

const trashSeconds = 30 * 86_400;
/** Number of parallel deletions, because an S3 store needs some ten milliseconds for each. */
const removalsAtOnce = 8;

/** Deletes photos permanently after thirty days in the trash, and returns their number. */
export async function purgeExpiredTrash(deps: Deps, stop: StopSignal): Promise<number> {
  const due = deps.clock() - trashSeconds;
  const isDue: PurgeCondition = (photo) =>
    photo?.visibility === Visibility.trash && (photo.delete_time ?? Infinity) <= due;
  const photos = trashedBefore(deps, due).select('id');
  return inBatches(
    stop,
    // Adding 0 keeps SQLite from walking all photos in the order of their ids.
    yieldPagesByColumn(photos, sql<number>`id + 0`, 'id', 0, rowsPerBatch),
    async (rows) => (await collectSucceeded(deps, rows, ({ id }) => purgePhoto(deps, id, isDue))).length,
  );
}

function trashedBefore({ db }: Pick<Deps, 'db'>, time: number) {
  return db
    .slow()
    .selectFrom('photos')
    .where('delete_time', '<=', time)
    .where('visibility', '=', Visibility.trash);
}

/**
 * Deletes replaced image versions after their expiry, and returns their number. Each transaction deletes a row and
 * queues the removals of its objects.
 */
export async function deleteExpiredImageVersions(deps: Deps, stop: StopSignal): Promise<number> {
  const now = deps.clock();
  const replaced = deps.db
    .slow()
    .selectFrom('images')
    .innerJoin('photos', 'photos.id', 'images.photo_id')
    .select('images.key')
    .where('images.expire_time', '<=', now)
    // The current image version and the original stay, even if their rows have an expiry.
    .whereRef('photos.image_key', '!=', 'images.key')
    .whereRef('photos.original_key', '!=', 'images.key');
  return inBatches(
    stop,
    yieldPagesByColumn(replaced, 'images.key', 'key', '', rowsPerBatch),
    async (rows) => (await collectSucceeded(deps, rows, ({ key }) => retireObject(deps, key, now))).length,
  );
}

async function retireObject({ db }: Deps, key: string, now: number): Promise<void> {
  await db.kysely.transaction().execute(async (transaction) => {
    const version = await transaction
      .selectFrom('images')
      .select('photo_id')
      .where('key', '=', key)
      .executeTakeFirst();
    // Purging the photo refunds the same bytes, so the lock prevents a double refund.
    const photo = version && (await lockPhoto(transaction, version.photo_id));
    if (!photo) return;
    const image = await transaction
      .deleteFrom('images')
      .where('key', '=', key)
      .where('expire_time', '<=', now)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('photos')
              .select('photos.id')
              .whereRef('photos.id', '=', 'images.photo_id')
              .where('photos.image_key', '=', key),
          ),
        ),
      )
      .returningAll()
      .executeTakeFirst();
    if (!image) return;
    await refundQuota(transaction, photo.user_id, [image]);
    await transaction
      .insertInto('removals')
      .values(listImageObjectNames(image).map((object) => ({ object, due_time: now })))
      .onConflict((conflict) => conflict.column('object').doNothing())
      .execute();
  });
}

/**
 * Deletes the objects of due removals, and returns their number. Objects are deleted before the removals, so that after
 * a crash a removal may find no object, which is harmless.
 */
export async function deleteRemovedObjects(deps: Deps, stop: StopSignal): Promise<number> {
  const now = deps.clock();
  const due = deps.db.slow().selectFrom('removals').select('object').where('due_time', '<=', now);
  return inBatches(stop, yieldPagesByColumn(due, 'object', 'object', '', rowsPerBatch), async (rows) => {
    if (await areObjectsHeld(deps)) return 0;
    const objects = await filterUnusedObjects(
      deps,
      rows.map(({ object }) => object),
    );
    const inUse = rows.length - objects.length;
    if (inUse > 0)
      deps.log.error(
        { inUse },
        'objects in use were marked for deletion and were not deleted: run lightwell check',
      );
    const remove = (object: string) => deps.storage.remove(object);
    const removed = await collectSucceeded(deps, objects, remove, removalsAtOnce);
    if (removed.length > 0)
      await deps.db.kysely.deleteFrom('removals').where('object', 'in', removed).execute();
    return removed.length;
  });
}

/**
 * Counts what the maintenance run would delete now: objects of due removals, and photos whose time in the trash is
 * over.
 */
export async function countDueDeletions(
  { db, clock }: Deps,
  since = clock(),
): Promise<{ removals: number; trash: number }> {
  const removals = await countRows(db.slow().selectFrom('removals').where('due_time', '<=', since));
  return { removals, trash: await countRows(trashedBefore({ db }, since - trashSeconds)) };
}

/**
 * Seconds that a request can take. A large upload may take longer than SESSION_IDLE, and checks its session again at
 * the end.
 */
const longestRequestSeconds = 86_400;

/**
 * Seconds that ended sessions stay in the database. The server already refuses them, but a clock that was ahead for an
 * hour must not delete valid sessions.
 */
const retentionSeconds = 7 * 86_400;

export async function purgeOldSessions({ db, clock, config }: Deps): Promise<number> {
  const now = clock() - retentionSeconds;
  const { numDeletedRows } = await db.kysely
    .deleteFrom('sessions')
    .where((is) => {
      const isExpired = is('expire_time', '<=', now);
      const { sessionIdle } = config;
      const idleSince = now - sessionIdle - longestRequestSeconds;
      return sessionIdle > 0 ? is.or([isExpired, is('last_used_time', '<=', idleSince)]) : isExpired;
    })
    .executeTakeFirst();
  return Number(numDeletedRows);
}
