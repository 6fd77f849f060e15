/** Checks for removals of objects that are in use, because the maintenance run would delete these objects. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { findDeletionClock } from '../../platform/db/observed-time.ts';
import { flattenRowPages, yieldPagesByColumn } from '../../platform/db/pages.ts';
import { blocksAllDeletion } from '../../platform/ownership/deletion-lock.ts';
import { findCurrentDeletionLock } from '../maintenance/orphans.ts';
import { countDueDeletions, deleteRemovedObjects, purgeExpiredTrash } from '../maintenance/rows.ts';
import type { CheckContext } from './findings.ts';

const pageSize = 500;

export async function checkRemovals({ deps, progress, report }: CheckContext): Promise<void> {
  progress.begin('deletions compared with rows');
  for await (const { object } of flattenRowPages(
    yieldPagesByColumn(liveRemovals(deps), 'object', 'object', '', pageSize),
  )) {
    await report({
      kind: 'live-removal',
      subject: object,
      detail: '',
      repair: () => dropRemoval(deps, object),
    });
  }
}

/**
 * Selects removals of objects in use. The transaction that queues a version's removals also deletes its row, so no
 * version with a row may have removals.
 */
function liveRemovals({ db }: Deps) {
  return db
    .slow()
    .selectFrom('removals')
    .select('object')
    .where((is) =>
      is.or([
        is.exists(
          is
            .selectFrom('images')
            .select('key')
            .where('key', '=', sql<string>`substr(removals.object, 1, 32)`),
        ),
        is.exists(
          is
            .selectFrom('upload_pieces')
            .select('object')
            .whereRef('upload_pieces.object', '=', 'removals.object'),
        ),
        is.exists(is.selectFrom('users').select('id').whereRef('users.avatar', '=', 'removals.object')),
      ]),
    );
}

async function dropRemoval(deps: Deps, object: string): Promise<boolean> {
  // The row of an object is never created after a removal. The second read therefore decides whether the object is in
  // use or the removal is right.
  const [still] = await liveRemovals(deps).where('object', '=', object).execute();
  if (!still) return false;
  await deps.db.kysely.deleteFrom('removals').where('object', '=', object).execute();
  return true;
}

/**
 * Seconds after which a due removal is overdue. The maintenance run deletes due objects every hour, so after a day that
 * run does not work.
 */
const timeoutSeconds = 86_400;

export async function checkOverdueRemovals({ deps, progress, report }: CheckContext): Promise<void> {
  progress.begin('deletions compared with the clock');
  // A jump of the clock makes nothing overdue.
  const clock = await findDeletionClock(deps);
  const { removals, trash } = await countDueDeletions(deps, clock() - timeoutSeconds);
  const isHeld = blocksAllDeletion(await findCurrentDeletionLock(deps));
  if (removals > 0) {
    await report({
      kind: 'removals-overdue',
      subject: 'removals',
      detail: `${removals} objects`,
      ...(!isHeld && { repair: async () => (await deleteRemovedObjects({ ...deps, clock }, undefined)) > 0 }),
    });
  }
  if (trash === 0) return;
  await report({
    kind: 'trash-overdue',
    subject: 'trash',
    detail: `${trash} photos`,
    ...(!isHeld && { repair: async () => (await purgeExpiredTrash({ ...deps, clock }, undefined)) > 0 }),
  });
}
