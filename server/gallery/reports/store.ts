/** Stores the reports of users. */

import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../identity/viewer.ts';
import { canSee, isTrashed } from '../library/permissions.ts';
import { currentVisibilityColumn } from '../library/visibility-sql.ts';
import { getVisiblePhoto } from '../photos/store.ts';
import type { NewReport } from './schema.ts';

/**
 * Stores a report and returns its id. A second report of the same thing by the same user changes the open report.
 * Throws the errors of reading the thing: photoNotFound, photoForbidden, commentNotFound, commentForbidden or
 * userNotFound.
 */
export async function insertReport(deps: Deps, viewer: Viewer, report: NewReport): Promise<number> {
  await checkTarget(deps, viewer, report);
  const { target_type, target_id, reason, content = '' } = report;
  const { id } = await deps.db.kysely
    .insertInto('reports')
    .values({
      user_id: viewer.id,
      target_type,
      target_id,
      reason,
      content,
      status: 'open',
      create_time: deps.clock(),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'target_type', 'target_id'])
        .where(sql<boolean>`status = 'open'`)
        .doUpdateSet({ reason, content }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function checkTarget(deps: Deps, viewer: Viewer, { target_type, target_id }: NewReport): Promise<void> {
  switch (target_type) {
    case 'photo':
      await getVisiblePhoto(deps, viewer, target_id);
      return;
    case 'comment':
      return checkComment(deps, viewer, target_id);
    case 'user':
      return checkUser(deps, target_id);
  }
}

async function checkComment({ db }: Deps, viewer: Viewer, id: number): Promise<void> {
  const photo = await db.kysely
    .selectFrom('comments')
    .innerJoin('photos', 'photos.id', 'comments.photo_id')
    .select('photos.user_id')
    .select(currentVisibilityColumn)
    .where('comments.id', '=', id)
    .executeTakeFirst();
  if (!photo || isTrashed(photo)) throw errors.commentNotFound();
  if (!canSee(viewer, photo)) throw errors.commentForbidden();
}

/** Throws userNotFound for an unknown user and for a disabled account, whose profile is hidden. */
async function checkUser({ db }: Deps, id: number): Promise<void> {
  const user = await db.kysely.selectFrom('users').select('status').where('id', '=', id).executeTakeFirst();
  if (user?.status !== UserStatus.enabled) throw errors.userNotFound();
}
