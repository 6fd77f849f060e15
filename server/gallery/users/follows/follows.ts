/**
 * Who follows whom. The rows are the truth; `users.followers` and `users.following` follow in the same
 * transaction, and count only accounts that are not disabled, as the lists show them.
 */

import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { type Prepared, plannedOnce, prepare } from '../../../platform/db/prepared.ts';
import { type AccountStatus, UserStatus } from '../../../platform/db/states.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { type PageRequest, paginationOf, windowOf } from '../../../platform/http/pagination.ts';
import { presentUser, type UserBrief } from '../../identity/present.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { addVisibilityJobs } from '../../library/visibility-jobs.ts';
import { notify, retractFollow } from '../../notifications/notify.ts';
import { emit } from '../../webhooks/emit.ts';

export interface FollowState {
  isFollowing: boolean;
  followers: number;
}

/**
 * Follows a user or ends that, as `wanted` says; without it, follows one that is not followed, and the other way round.
 * Throws userNotFound or followSelf.
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
    if (isFollowing) await notify(transaction, clock(), { userId, type: 'follow', actorId: viewer.id });
    else await retractFollow(transaction, viewer.id, userId);
    if (isFollowing) await emit(deps, transaction, userId, { type: 'follow.created', actorId: viewer.id });
    return { isFollowing, followers };
  });
}

/**
 * In the order of their ids: two who follow each other at once must not wait for each other. Returns the user that is to
 * be followed.
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
 * Disables or enables an account. Its followers and the users that it follows no longer count it, or count it again. An
 * account is disabled before it is deleted, too. A job hides or shows its photos and albums.
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

/** Followers and following, the latest follow first. Disabled accounts are not among them. */
export function createListFollows({ db }: Deps) {
  const find = {
    followers: prepareFollows(db, 'followee_id', 'follower_id'),
    following: prepareFollows(db, 'follower_id', 'followee_id'),
  };

  /** The kept counter is the total. */
  return async (
    viewer: Viewer | undefined,
    user: UserRow,
    which: 'followers' | 'following',
    query: PageRequest,
  ) => {
    const rows = await find[which]({ user: user.id, viewer: viewer?.id ?? 0, ...windowOf(query) });
    const list = rows.map((row) => ({ ...presentUser(row), is_following: row.followed_by !== null }));
    return { list, pagination: paginationOf(query, user[which]) };
  };
}

type Side = 'follower_id' | 'followee_id';

interface FollowRow extends UserBrief {
  /** The viewer, who follows this user, too; null where they do not. */
  followed_by: number | null;
}

function prepareFollows(db: Deps['db'], of: Side, shown: Side): Prepared<FollowRow> {
  return prepare<FollowRow>(db, (query, arg) =>
    query
      .selectFrom('follows')
      .innerJoin('users', 'users.id', `follows.${shown}`)
      .leftJoin('follows as own', (join) =>
        join.onRef('own.followee_id', '=', 'users.id').on('own.follower_id', '=', arg<number>('viewer')),
      )
      .select(['users.id', 'users.username', 'users.nickname', 'users.avatar'])
      .select('own.follower_id as followed_by')
      .where(`follows.${of}`, '=', arg<number>('user'))
      // Adding 0 keeps the planners from starting at the accounts: the follows are read in their order.
      .where((is) => is(is('users.status', '+', 0), '=', UserStatus.enabled))
      .orderBy('follows.create_time', 'desc')
      .orderBy(`follows.${shown}`, 'desc')
      .limit(plannedOnce(arg<number>('limit')))
      .offset(arg<number>('offset')),
  );
}
