/** Deletes comments and likes of comments. Each change locks the photo first, so that its counts stay correct. */

import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { CommentRow, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../identity/viewer.ts';
import { closeReports, recordAdminDeletion } from '../moderation/reports.ts';
import { removeNotifications } from '../notifications/notify.ts';
import { addToCommentCounts, canDeleteComment, lockComment, lockCommentWithPhoto } from './store.ts';

/** Deletes a comment and its replies. Throws commentNotFound or commentForbidden. */
export async function deleteComment(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute((transaction) => deleteCommentIn(deps, transaction, viewer, id));
}

/** Deletes a comment like `deleteComment`, within the transaction of a larger operation. */
export async function deleteCommentIn(
  deps: Deps,
  transaction: Transaction,
  viewer: Viewer,
  id: number,
): Promise<void> {
  const { comment, photo } = await lockComment(transaction, viewer, id);
  if (!canDeleteComment(viewer, comment, photo)) throw errors.commentForbidden();
  await removeComment(transaction, comment);
  await recordAdminDeletion(deps, transaction, viewer, {
    action: 'comment.delete',
    target: { type: 'comment', id, name: '' },
    isOwn: [comment.user_id, photo.user_id].includes(viewer.id),
  });
}

/**
 * Deletes a comment of an account that is being deleted. The visibility of the photo does not matter, so comments
 * on trashed photos are deleted too.
 */
export async function eraseAccountComment(deps: Deps, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const found = await lockCommentWithPhoto(transaction, id);
    if (!found) return;
    await removeComment(transaction, found.comment);
    const outcome = { action: 'delete', note: '', handler: '' } as const;
    await closeReports(deps, transaction, { type: 'comment', ids: [id] }, outcome);
  });
}

export async function eraseAccountCommentLike({ db }: Deps, userId: number, id: number): Promise<void> {
  await db.kysely.transaction().execute(async (transaction) => {
    if (!(await lockCommentWithPhoto(transaction, id))) return;
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

/** Deletes the rows of a comment and its replies and updates the photo's counts. The caller has locked the photo. */
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
  await addToCommentCounts(transaction, photo_id, parent_id, -1 - reply_count, parent_id === null ? -1 : 0);
}

/**
 * Deletes up to `max` comments of a photo, replies before the comments they answer, and updates the photo's counts.
 * A photo may have a hundred thousand comments, so callers delete in batches. The caller has locked the photo.
 * Returns the number of deleted comments.
 */
export async function deletePhotoComments(
  transaction: Transaction,
  photoId: number,
  max: number,
): Promise<number> {
  const replies = await findCommentBatch(transaction, photoId, max, true);
  const found = replies.length > 0 ? replies : await findCommentBatch(transaction, photoId, max, false);
  if (found.length === 0) return 0;
  const ids = found.map(({ id }) => id);
  await removeNotifications(transaction, (query) => query.where('comment_id', 'in', ids));
  await transaction.deleteFrom('comments').where('id', 'in', ids).execute();
  if (replies.length > 0)
    await recountReplies(transaction, [...new Set(replies.map((row) => row.parent_id!))]);
  const threads = replies.length > 0 ? 0 : ids.length;
  await transaction
    .updateTable('photo_counts')
    .set({
      comments: sql<number>`comments - ${ids.length}`,
      comment_threads: sql<number>`comment_threads - ${threads}`,
    })
    .where('photo_id', '=', photoId)
    .execute();
  return ids.length;
}

/**
 * Returns a batch of comments or replies of a photo. The order is that of an index, so the database sorts no rows.
 */
function findCommentBatch(transaction: Transaction, photoId: number, max: number, areReplies: boolean) {
  const of = transaction.selectFrom('comments').select(['id', 'parent_id']).where('photo_id', '=', photoId);
  const some = areReplies
    ? of.where('parent_id', '>', 0).orderBy('parent_id')
    : of.where('parent_id', 'is', null);
  return some.orderBy('id').limit(max).execute();
}

async function recountReplies(transaction: Transaction, parents: number[]): Promise<void> {
  await transaction
    .updateTable('comments')
    .set({
      reply_count: sql<number>`(SELECT count(*) FROM comments AS others WHERE others.parent_id = comments.id)`,
    })
    .where('id', 'in', parents)
    .execute();
}
