/** Takes comments and likes of comments away. Each change locks the photo first, so that counts follow. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { CommentRow, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { lockPhoto } from '../library/locks.ts';
import { noteDeletion } from '../moderation/moderation.ts';
import { closeReports } from '../moderation/report-close.ts';
import { removeNotifications } from '../notifications/notify.ts';
import { canDelete } from './permissions.ts';
import { addToCounts, lockComment } from './store.ts';

/** Its replies go with it. Throws commentNotFound or commentForbidden. */
export async function deleteComment(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute((transaction) => takeComment(deps, transaction, viewer, id));
}

/** The same as a part of something larger. */
export async function takeComment(
  deps: Deps,
  transaction: Transaction,
  viewer: Viewer,
  id: number,
): Promise<void> {
  const { comment, photo } = await lockComment(transaction, viewer, id);
  if (!canDelete(viewer, comment, photo)) throw errors.commentForbidden();
  await removeComment(transaction, comment);
  await noteDeletion(deps, transaction, viewer, {
    action: 'comment.delete',
    target: { type: 'comment', id, name: '' },
    isOwn: [comment.user_id, photo.user_id].includes(viewer.id),
  });
}

/** Of an account that is being deleted: regardless of who sees the photo, also in the trash. */
export async function eraseComment(deps: Deps, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const comment = await lockPhotoOf(transaction, id);
    if (!comment) return;
    await removeComment(transaction, comment);
    const outcome = { action: 'delete', note: '', handler: '' } as const;
    await closeReports(deps, transaction, { type: 'comment', ids: [id] }, outcome);
  });
}

export async function eraseCommentLike({ db }: Deps, userId: number, id: number): Promise<void> {
  await db.kysely.transaction().execute(async (transaction) => {
    if (!(await lockPhotoOf(transaction, id))) return;
    const removed = await transaction
      .deleteFrom('comment_likes')
      .where('comment_id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n) return;
    await transaction
      .updateTable('comments')
      .set({ likes: sql<number>`likes - 1` })
      .where('id', '=', id)
      .execute();
  });
}

/** The comment as it is once its photo is locked. */
async function lockPhotoOf(transaction: Transaction, id: number): Promise<CommentRow | undefined> {
  const find = () => transaction.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirst();
  const found = await find();
  if (!found || !(await lockPhoto(transaction, found.photo_id))) return undefined;
  return find();
}

/** The photo is locked. */
async function removeComment(transaction: Transaction, comment: CommentRow): Promise<void> {
  const { id, photo_id, parent_id, reply_count } = comment;
  await removeNotifications(transaction, (query) =>
    query.where('comment_id', 'in', (inner) =>
      inner
        .selectFrom('comments')
        .select('id')
        .where((either) => either.or([either('id', '=', id), either('parent_id', '=', id)])),
    ),
  );
  await transaction.deleteFrom('comments').where('id', '=', id).execute();
  await addToCounts(transaction, photo_id, parent_id, -1 - reply_count, parent_id === null ? -1 : 0);
}
