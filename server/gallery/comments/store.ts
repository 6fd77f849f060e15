/**
 * Inserts and updates comments and their likes. Every change locks the photo first, so counts stay correct and no
 * reply outlives its comment.
 */

import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { foldText } from '../../platform/db/fold.ts';
import type { CommentRow, PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../identity/viewer.ts';
import { type LockedPhoto, lockPhoto } from '../library/locks.ts';
import { canSee, isTrashed } from '../library/permissions.ts';
import { auditActOnOthers } from '../moderation/audit.ts';
import { insertNotifications, type NewNotification } from '../notifications/notify.ts';
import { emitWebhookEvent } from '../webhooks/emit.ts';
import type { NewComment } from './schema.ts';

/**
 * Inserts a comment or a reply and returns its id. Throws photoNotFound, photoForbidden, or commentNotFound if the
 * answered comment is not on this photo.
 */
export async function insertComment(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  { content, parent_id }: NewComment,
): Promise<number> {
  const { db, clock } = deps;
  return db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhoto(transaction, photoId);
    if (!photo || isTrashed(photo)) throw errors.photoNotFound();
    if (!canSee(viewer, photo)) throw errors.photoForbidden();
    const answered = parent_id ? await getParentComment(transaction, photo, parent_id) : undefined;
    const parentId = answered ? (answered.parent_id ?? answered.id) : null;
    const { id } = await transaction
      .insertInto('comments')
      .values({
        photo_id: photoId,
        parent_id: parentId,
        user_id: viewer.id,
        likes: 0,
        reply_count: 0,
        create_time: clock(),
        content: content.trim(),
        search_text: foldText(content.trim()),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await addToCommentCounts(transaction, photo.id, parentId, 1, parentId === null ? 1 : 0);
    await insertNotifications(transaction, clock(), ...createNotifications(viewer, photo, answered, id));
    const comment = { id, parent_id: parentId, content: content.trim() };
    await emitWebhookEvent(deps, transaction, photo.user_id, {
      type: 'comment.created',
      actorId: viewer.id,
      photo,
      comment,
    });
    return id;
  });
}

type ParentComment = CommentRow & { is_admin: number };

async function getParentComment(
  transaction: Transaction,
  photo: PhotoRow,
  id: number,
): Promise<ParentComment> {
  const answered = await transaction
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .selectAll('comments')
    .select('users.is_admin')
    .where('comments.id', '=', id)
    .where('comments.photo_id', '=', photo.id)
    .executeTakeFirst();
  if (!answered) throw errors.commentNotFound();
  return answered;
}

/**
 * Returns the notifications about a new comment: for the author of the answered comment, if they still see the
 * photo, and for the photo's owner. A user gets at most one of them.
 */
function createNotifications(
  viewer: Viewer,
  photo: LockedPhoto,
  answered: ParentComment | undefined,
  id: number,
): NewNotification[] {
  const about = { actorId: viewer.id, photoId: photo.id, commentId: id };
  const notifications: NewNotification[] = [];
  const author = answered && { id: answered.user_id, isAdmin: answered.is_admin === 1, sessionId: 0 };
  if (author && canSee(author, photo)) {
    notifications.push({ ...about, userId: author.id, type: 'reply' });
  }
  if (photo.user_id !== author?.id) {
    notifications.push({ ...about, userId: photo.user_id, type: 'comment' });
  }
  return notifications;
}

/** Changes the text of a comment. Throws commentNotFound or commentForbidden. */
export async function updateComment(deps: Deps, viewer: Viewer, id: number, content: string): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const { comment } = await lockComment(transaction, viewer, id);
    if (!canChange(viewer, comment)) throw errors.commentForbidden();
    const trimmed = content.trim();
    await transaction
      .updateTable('comments')
      .set({ content: trimmed, search_text: foldText(trimmed) })
      .where('id', '=', id)
      .execute();
    await auditActOnOthers(deps, transaction, viewer, comment, {
      action: 'comment.update',
      target: { type: 'comment', id, name: '' },
    });
  });
}

/**
 * Sets or toggles the viewer's like of a comment, like `changeReaction` does for photos. Throws commentNotFound, or
 * commentForbidden if the viewer does not see the photo.
 */
export async function changeCommentLike(
  { db, clock }: Deps,
  viewer: Viewer,
  id: number,
  wanted?: boolean,
): Promise<{ isLiked: boolean; likes: number }> {
  return db.kysely.transaction().execute(async (transaction) => {
    const { comment, isSeen } = await lockComment(transaction, viewer, id);
    const like = { comment_id: id, user_id: viewer.id };
    const found = await transaction
      .selectFrom('comment_likes')
      .select('comment_id')
      .where((is) => is.and(like))
      .executeTakeFirst();
    const wasLiked = found !== undefined;
    const isLiked = wanted ?? !wasLiked;
    // Without access to the photo, the viewer can only remove a like, as in photos/likes.ts.
    if (!isSeen && !wasLiked && isLiked) throw errors.commentForbidden();
    if (isLiked === wasLiked) return { isLiked, likes: isSeen ? comment.likes : 0 };

    if (isLiked) {
      await transaction
        .insertInto('comment_likes')
        .values({ ...like, create_time: clock() })
        .execute();
    } else {
      await transaction
        .deleteFrom('comment_likes')
        .where((is) => is.and(like))
        .execute();
    }
    const { likes } = await transaction
      .updateTable('comments')
      .set({ likes: sql<number>`likes + ${isLiked ? 1 : -1}` })
      .where('id', '=', id)
      .returning('likes')
      .executeTakeFirstOrThrow();
    return { isLiked, likes: isSeen ? likes : 0 };
  });
}

export interface LockedComment {
  comment: CommentRow;
  photo: PhotoRow;
  /**
   * Whether the viewer sees the photo. Viewers can still change their own comments and likes on a photo that they
   * no longer see.
   */
  isSeen: boolean;
}

/**
 * Locks the photo of a comment and returns both. Throws commentNotFound if the comment does not exist or its photo
 * is in the trash.
 */
export async function lockComment(
  transaction: Transaction,
  viewer: Viewer,
  id: number,
): Promise<LockedComment> {
  const found = await lockCommentWithPhoto(transaction, id);
  if (!found || isTrashed(found.photo)) throw errors.commentNotFound();
  const { comment, photo } = found;
  return { comment, photo, isSeen: canSee(viewer, photo) };
}

/** Locks the photo of a comment and returns both, or undefined if the comment does not exist. */
export async function lockCommentWithPhoto(transaction: Transaction, id: number) {
  const find = () => transaction.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirst();
  const found = await find();
  const photo = found && (await lockPhoto(transaction, found.photo_id));
  // Read the comment again, because another transaction that held the lock may have changed or deleted it.
  const comment = photo && (await find());
  return comment && { comment, photo };
}

export async function addToCommentCounts(
  transaction: Transaction,
  photoId: number,
  parentId: number | null,
  comments: number,
  threads: number,
): Promise<void> {
  await transaction
    .updateTable('photo_counts')
    .set({
      comments: sql<number>`comments + ${comments}`,
      comment_threads: sql<number>`comment_threads + ${threads}`,
    })
    .where('photo_id', '=', photoId)
    .execute();
  if (parentId === null) return;
  await transaction
    .updateTable('comments')
    .set({ reply_count: sql<number>`reply_count + ${comments}` })
    .where('id', '=', parentId)
    .execute();
}

/**
 * Returns whether the viewer can edit the comment. The author can, even without access to the photo, and so can
 * admins.
 */
function canChange(viewer: Viewer, comment: Pick<CommentRow, 'user_id'>): boolean {
  return comment.user_id === viewer.id || viewer.isAdmin;
}

/**
 * Returns whether the viewer can delete the comment. A photo's owner can delete comments of others on the photo,
 * but not edit them.
 */
export function canDeleteComment(
  viewer: Viewer,
  comment: Pick<CommentRow, 'user_id'>,
  photo: Pick<PhotoRow, 'user_id'>,
): boolean {
  return canChange(viewer, comment) || photo.user_id === viewer.id;
}
