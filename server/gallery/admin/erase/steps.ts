/**
 * Deletes an account's content in short transactions: first the content that others see, then the photos
 * permanently, and finally the account. Each step updates the stored counts of comments, likes, photos and
 * notifications, and can be repeated.
 */

import type { Deps } from '../../../deps.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import { eraseAccountComment, eraseAccountCommentLike } from '../../comments/delete.ts';
import { deleteUserTotals } from '../../library/counts.ts';
import { removeNotifications } from '../../notifications/notify.ts';
import { eraseAccountReaction } from '../../photos/likes.ts';
import { purgeAccountPhotos } from '../../photos/trash/purge.ts';
import { deleteUpload } from '../../uploads/store.ts';
import { eraseAlbums, trashAccountPhotos } from './library.ts';

const batchSize = 200;

/**
 * Step of an account's deletion, for one kind of content. Returns the number of deleted things, or 0 if none is
 * left.
 */
type ErasureStep = (deps: Deps, userId: number) => Promise<number>;

/**
 * Deletes one batch of an account's content, from the first step that still has some. Returns `gone` after the
 * account itself was deleted.
 */
export async function eraseNextAccountBatch(deps: Deps, userId: number): Promise<'some' | 'gone'> {
  for (const step of erasureSteps) {
    if ((await step(deps, userId)) > 0) return 'some';
  }
  return (await deleteAccountRow(deps, userId)) ? 'gone' : 'some';
}

const erasureSteps: ErasureStep[] = [
  trashAccountPhotos,
  eraseAlbums,
  eraseComments,
  (deps, userId) => eraseReactions(deps, userId, 'likes'),
  (deps, userId) => eraseReactions(deps, userId, 'favorites'),
  eraseCommentLikes,
  eraseFollows,
  purgeAccountPhotos,
  eraseNotifications,
  eraseReports,
  eraseUploads,
];

async function eraseComments(deps: Deps, userId: number): Promise<number> {
  const own = deps.db.kysely.selectFrom('comments').select('id').where('user_id', '=', userId);
  return runForEach(await own.orderBy('id').limit(batchSize).execute(), ({ id }) =>
    eraseAccountComment(deps, id),
  );
}

async function eraseReactions(deps: Deps, userId: number, reaction: 'likes' | 'favorites'): Promise<number> {
  const own = deps.db.kysely.selectFrom(reaction).select('photo_id').where('user_id', '=', userId);
  return runForEach(await own.limit(batchSize).execute(), ({ photo_id }) =>
    eraseAccountReaction(deps, userId, photo_id, reaction),
  );
}

async function eraseCommentLikes(deps: Deps, userId: number): Promise<number> {
  const own = deps.db.kysely.selectFrom('comment_likes').select('comment_id').where('user_id', '=', userId);
  return runForEach(await own.limit(batchSize).execute(), ({ comment_id }) =>
    eraseAccountCommentLike(deps, userId, comment_id),
  );
}

/**
 * Deletes the account's follows in both directions. The follow counts already exclude the account as a disabled
 * one, so the counts need no update.
 */
async function eraseFollows(deps: Deps, userId: number): Promise<number> {
  const sides = [
    ['follower_id', 'followee_id'],
    ['followee_id', 'follower_id'],
  ] as const;
  let done = 0;
  for (const [own, other] of sides) {
    const found = deps.db.kysely.selectFrom('follows').select(`${other} as id`).where(own, '=', userId);
    const ids = (await found.limit(batchSize).execute()).map(({ id }) => id);
    if (ids.length === 0) continue;
    await deps.db.kysely.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('follows').where(own, '=', userId).where(other, 'in', ids).execute();
      if (own === 'followee_id') return;
      await removeNotifications(transaction, (query) =>
        query.where('actor_id', '=', userId).where('type', '=', 'follow').where('user_id', 'in', ids),
      );
    });
    done += ids.length;
  }
  return done;
}

async function eraseNotifications(deps: Deps, userId: number): Promise<number> {
  const own = deps.db.kysely.selectFrom('notifications').select('id').where('user_id', '=', userId);
  const ids = (await own.limit(batchSize).execute()).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await deps.db.kysely
    .transaction()
    .execute((transaction) => removeNotifications(transaction, (query) => query.where('id', 'in', ids)));
  return ids.length;
}

async function eraseReports({ db }: Deps, userId: number): Promise<number> {
  const own = db.kysely.selectFrom('reports').select('id').where('user_id', '=', userId).limit(batchSize);
  const ids = (await own.execute()).map(({ id }) => id);
  if (ids.length > 0) await db.kysely.deleteFrom('reports').where('id', 'in', ids).execute();
  return ids.length;
}

async function eraseUploads(deps: Deps, userId: number): Promise<number> {
  const own = deps.db.kysely.selectFrom('uploads').select('id').where('user_id', '=', userId);
  return runForEach(await own.limit(batchSize).execute(), ({ id }) => deleteUpload(deps, id));
}

async function runForEach<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<number> {
  for (const item of items) await work(item);
  return items.length;
}

/**
 * Deletes the row of the account. Returns false if a concurrent request has added content, which must be deleted
 * first to keep counts correct.
 */
async function deleteAccountRow({ db }: Deps, userId: number): Promise<boolean> {
  return db.kysely.transaction().execute(async (transaction) => {
    // Lock the account's row. Inserting a row of this user also locks it, so no content can be added until this
    // transaction ends.
    await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
    if (await ownsAnyRow(transaction, userId)) return false;
    await deleteUserTotals(transaction, userId);
    await transaction.deleteFrom('users').where('id', '=', userId).execute();
    return true;
  });
}

async function ownsAnyRow(transaction: Transaction, userId: number): Promise<boolean> {
  const tables = [
    'photos',
    'albums',
    'comments',
    'likes',
    'favorites',
    'comment_likes',
    'notifications',
    'uploads',
  ];
  for (const table of tables as 'photos'[]) {
    const found = transaction.selectFrom(table).select('user_id').where('user_id', '=', userId).limit(1);
    if (await found.executeTakeFirst()) return true;
  }
  const follow = await transaction
    .selectFrom('follows')
    .select('followee_id')
    .where((is) => is.or([is('follower_id', '=', userId), is('followee_id', '=', userId)]))
    .limit(1)
    .executeTakeFirst();
  return follow !== undefined;
}
