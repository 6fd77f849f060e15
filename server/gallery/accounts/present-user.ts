/** People as JSON: explicit lists of fields; never email, mobile or birthday. */

import { UserStatus } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { avatarPath } from './present.ts';

export type UserBrief = Pick<UserRow, 'id' | 'username' | 'nickname' | 'avatar'>;

export function presentUser({ id, username, nickname, avatar }: UserBrief) {
  return { id, username, nickname, avatar: avatarPath(avatar) };
}

/**
 * The author of something that stays when their account is disabled or being deleted. Only the id is left of such
 * an account: without it a client could not tell two of them apart.
 */
export function presentActor({ status, ...user }: UserBrief & Pick<UserRow, 'status'>) {
  return presentUser(
    status === UserStatus.enabled ? user : { id: user.id, username: '', nickname: '', avatar: '' },
  );
}
