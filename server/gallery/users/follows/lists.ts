/** Followers and following, the latest follow first. Disabled accounts are not among them. */

import type { Deps } from '../../../deps.ts';
import { type Prepared, plannedOnce, prepare } from '../../../platform/db/prepared.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { type PageRequest, paginationOf, windowOf } from '../../../platform/http/pagination.ts';
import { presentUser, type UserBrief } from '../../accounts/present-user.ts';

export function createListFollows({ db }: Deps) {
  const find = {
    followers: prepareFollows(db, 'followee_id', 'follower_id'),
    following: prepareFollows(db, 'follower_id', 'followee_id'),
  };

  /** The kept counter is the total. */
  return async (user: UserRow, which: 'followers' | 'following', query: PageRequest) => {
    const rows = await find[which]({ user: user.id, ...windowOf(query) });
    return { list: rows.map(presentUser), pagination: paginationOf(query, user[which]) };
  };
}

type Side = 'follower_id' | 'followee_id';

function prepareFollows(db: Deps['db'], of: Side, shown: Side): Prepared<UserBrief> {
  return prepare<UserBrief>(db, (query, arg) =>
    query
      .selectFrom('follows')
      .innerJoin('users', 'users.id', `follows.${shown}`)
      .select(['users.id', 'users.username', 'users.nickname', 'users.avatar'])
      .where(`follows.${of}`, '=', arg<number>('user'))
      // Adding 0 keeps the planners from starting at the accounts: the follows are read in their order.
      .where((is) => is(is('users.status', '+', 0), '=', UserStatus.enabled))
      .orderBy('follows.create_time', 'desc')
      .orderBy(`follows.${shown}`, 'desc')
      .limit(plannedOnce(arg<number>('limit')))
      .offset(arg<number>('offset')),
  );
}
