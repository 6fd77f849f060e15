/** People as JSON: explicit lists of fields; never email, mobile or birthday. */
import { avatarPath } from '../auth/present.ts';
import type { UserRow } from '../db/tables.ts';
import { timeText } from '../http/time.ts';
import type { HomeStats } from './home.ts';

export type UserBrief = Pick<UserRow, 'id' | 'username' | 'nickname' | 'avatar'>;

export function presentUser({ id, username, nickname, avatar }: UserBrief) {
  return { id, username, nickname, avatar: avatarPath(avatar) };
}

/**
 * Whoever said or did something that stays when their account is disabled or being deleted. The id is all that is
 * left of them: without it a client could not tell two of them apart.
 */
export function presentActor({ status, ...user }: UserBrief & Pick<UserRow, 'status'>) {
  return presentUser(status === 1 ? user : { id: user.id, username: '', nickname: '', avatar: '' });
}

/** How two people stand to each other. */
export interface Ties {
  isFollowing: boolean;
  isFollowed: boolean;
}

export function presentHome(user: UserRow, ties: Ties, stats: HomeStats) {
  return {
    ...presentUser(user),
    bio: user.bio,
    create_time: timeText(user.create_time),
    is_following: ties.isFollowing,
    is_followed: ties.isFollowed,
    stats: { ...stats, followers: user.followers, following: user.following },
  };
}
