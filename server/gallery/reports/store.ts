/** SQL of the reports that users make. */

import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../identity/viewer.ts';
import { canSee, isTrashed } from '../library/permissions.ts';
import { visibilityNow } from '../library/visible.ts';
import { getVisiblePhoto } from '../photos/store.ts';
import type { NewReport } from './schema.ts';

/**
 * Returns the id. Reporting it again while the first report is open changes that report. Throws what reading the
 * thing would: photoNotFound, photoForbidden, commentNotFound, commentForbidden, userNotFound.
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
    .select(visibilityNow)
    .where('comments.id', '=', id)
    .executeTakeFirst();
  if (!photo || isTrashed(photo)) throw errors.commentNotFound();
  if (!canSee(viewer, photo)) throw errors.commentForbidden();
}

/** A disabled account has no page to report. */
async function checkUser({ db }: Deps, id: number): Promise<void> {
  const user = await db.kysely.selectFrom('users').select('status').where('id', '=', id).executeTakeFirst();
  if (user?.status !== UserStatus.enabled) throw errors.userNotFound();
}
