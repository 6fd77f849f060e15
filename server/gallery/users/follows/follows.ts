/**
 * Follows between users. Each follow is a row, and `users.followers` and `users.following` change in the same
 * transaction. The counters and lists exclude disabled accounts.
 */

import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { limitWithStablePlan, type PreparedRead, prepareRead } from '../../../platform/db/prepared.ts';
import { type AccountStatus, UserStatus } from '../../../platform/db/states.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { createPagination, type PaginationRequest, toRowWindow } from '../../../platform/http/pagination.ts';
import { createViewerPathSigner } from '../../delivery/paths.ts';
import { type PublicUserRow, presentUser } from '../../identity/present.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { addVisibilityJobs } from '../../library/visibility-jobs.ts';
import { deleteFollowNotification, insertNotifications } from '../../notifications/notify.ts';
import { emitWebhookEvent } from '../../webhooks/emit.ts';

export interface FollowState {
  isFollowing: boolean;
  followers: number;
}

/**
 * Follows or unfollows a user, as `wanted` says, or toggles the follow if `wanted` is undefined. Throws userNotFound or
 * followSelf.
 */
export async function changeFollow(
  deps: Deps,
  viewer: Viewer,
  userId: number,
  wanted?: boolean,
): Promise<FollowState> {
  if (userId === viewer.id) throw errors.followSelf();
  const { db, clock } = deps;
  const follow = { follower_id: viewer.id, followee_id: userId };
  return db.kysely.transaction().execute(async (transaction) => {
    const { followers: before } = await lockBoth(transaction, viewer.id, userId);
    const found = await transaction
      .selectFrom('follows')
      .select('follower_id')
      .where((is) => is.and(follow))
      .executeTakeFirst();
    const wasFollowing = found !== undefined;
    const isFollowing = wanted ?? !wasFollowing;
    if (isFollowing === wasFollowing) return { isFollowing, followers: before };

    if (isFollowing) {
      await transaction
        .insertInto('follows')
        .values({ ...follow, create_time: clock() })
        .execute();
    } else {
      await transaction
        .deleteFrom('follows')
        .where((is) => is.and(follow))
        .execute();
    }
    const by = isFollowing ? 1 : -1;
    await transaction
      .updateTable('users')
      .set({ following: sql<number>`following + ${by}` })
      .where('id', '=', viewer.id)
      .execute();
    const { followers } = await transaction
      .updateTable('users')
      .set({ followers: sql<number>`followers + ${by}` })
      .where('id', '=', userId)
      .returning('followers')
      .executeTakeFirstOrThrow();
    if (isFollowing)
      await insertNotifications(transaction, clock(), { userId, type: 'follow', actorId: viewer.id });
    else await deleteFollowNotification(transaction, viewer.id, userId);
    if (isFollowing)
      await emitWebhookEvent(deps, transaction, userId, { type: 'follow.created', actorId: viewer.id });
    return { isFollowing, followers };
  });
}

/**
 * Locks both users in the order of their ids, so that two users who follow each other at the same time cannot deadlock.
 * Returns the user to follow.
 */
async function lockBoth(
  transaction: Transaction,
  viewerId: number,
  userId: number,
): Promise<Pick<UserRow, 'followers'>> {
  let followee = { followers: 0 };
  for (const id of [viewerId, userId].sort((a, b) => a - b)) {
    const user = await transaction
      .selectFrom('users')
      .select(['status', 'followers'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (user?.status !== UserStatus.enabled) {
      throw id === viewerId ? errors.badToken() : errors.userNotFound();
    }
    if (id === userId) followee = user;
  }
  return followee;
}

/**
 * Disables or enables an account, and updates the counters of its followers and of the users that the account follows.
 * Deleting an account disables it first. A background job hides or shows its photos and albums.
 */
export async function setUserStatus(
  deps: Pick<Deps, 'db'>,
  transaction: Transaction,
  userId: number,
  status: AccountStatus,
): Promise<void> {
  const changed = await transaction
    .updateTable('users')
    .set({ status })
    .where('id', '=', userId)
    .where('status', '!=', status)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) return;
  await addVisibilityJobs(deps, transaction, 'account', userId, [userId]);
  const by = status === UserStatus.enabled ? 1 : -1;
  await transaction
    .updateTable('users')
    .set({ followers: sql<number>`followers + ${by}` })
    .where('id', 'in', (query) =>
      query.selectFrom('follows').select('followee_id').where('follower_id', '=', userId),
    )
    .execute();
  await transaction
    .updateTable('users')
    .set({ following: sql<number>`following + ${by}` })
    .where('id', 'in', (query) =>
      query.selectFrom('follows').select('follower_id').where('followee_id', '=', userId),
    )
    .execute();
}

/**
 * Returns the function that lists the followers of a user or the users that a user follows, the latest first. Disabled
 * accounts are excluded.
 */
export function createListFollows(deps: Deps) {
  const { db } = deps;
  const find = {
    followers: prepareFollows(db, 'followee_id', 'follower_id'),
    following: prepareFollows(db, 'follower_id', 'followee_id'),
  };

  /** Returns a page of followers or followed users. The total is the stored counter. */
  return async (
    viewer: Viewer | undefined,
    user: UserRow,
    which: 'followers' | 'following',
    query: PaginationRequest,
  ) => {
    const rows = await find[which]({ user: user.id, viewer: viewer?.id ?? 0, ...toRowWindow(query) });
    const signer = createViewerPathSigner(deps, viewer);
    const list = rows.map((row) => ({ ...presentUser(row, signer), is_following: row.followed_by !== null }));
    return { list, pagination: createPagination(query, user[which]) };
  };
}

type FollowSide = 'follower_id' | 'followee_id';

interface FollowRow extends PublicUserRow {
  /** Id of the viewer if the viewer follows this user, otherwise null. */
  followed_by: number | null;
}

function prepareFollows(db: Deps['db'], of: FollowSide, shown: FollowSide): PreparedRead<FollowRow> {
  return prepareRead<FollowRow>(db, (query, arg) =>
    query
      .selectFrom('follows')
      .innerJoin('users', 'users.id', `follows.${shown}`)
      .leftJoin('follows as own', (join) =>
        join.onRef('own.followee_id', '=', 'users.id').on('own.follower_id', '=', arg<number>('viewer')),
      )
      .select(['users.id', 'users.username', 'users.nickname', 'users.avatar'])
      .select('own.follower_id as followed_by')
      .where(`follows.${of}`, '=', arg<number>('user'))
      // Adding 0 hides the index on the status from the planner, so that the follows are read in their order.
      .where((is) => is(is('users.status', '+', 0), '=', UserStatus.enabled))
      .orderBy('follows.create_time', 'desc')
      .orderBy(`follows.${shown}`, 'desc')
      .limit(limitWithStablePlan(arg<number>('limit')))
      .offset(arg<number>('offset')),
  );
}
