/** Deletes the comments of a photo that is purged, in batches: there may be a hundred thousand. */
import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/tables.ts';
import { removeNotifications } from '../notifications/notify.ts';

/** Deletes up to `most`, replies before what they answer. The caller has locked the photo. Its counts follow. */
export async function clearComments(transaction: Transaction, photoId: number, max: number): Promise<void> {
  const replies = await findSome(transaction, photoId, max, true);
  const found = replies.length > 0 ? replies : await findSome(transaction, photoId, max, false);
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  await removeNotifications(transaction, (query) => query.where('comment_id', 'in', ids));
  await transaction.deleteFrom('comments').where('id', 'in', ids).execute();
  if (replies.length > 0)
    await recountReplies(transaction, [...new Set(replies.map((row) => row.parent_id!))]);
  const threads = replies.length > 0 ? 0 : ids.length;
  await transaction
    .updateTable('photos')
    .set({
      comments: sql<number>`comments - ${ids.length}`,
      comment_threads: sql<number>`comment_threads - ${threads}`,
    })
    .where('id', '=', photoId)
    .execute();
}

/** In the order of an index, so that none is sorted. */
function findSome(transaction: Transaction, photoId: number, max: number, areReplies: boolean) {
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
