/** Users as JSON: explicit lists of fields. */

import { UserStatus } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { timeText } from '../../platform/http/time.ts';
import { objectPath } from '../../platform/storage/keys.ts';

/** Path of an avatar's object, '' for none. Avatars are public. */
export function avatarPath(objectName: string): string {
  return objectName && objectPath(objectName);
}

export function presentAccount(user: UserRow) {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    nickname: user.nickname,
    avatar: avatarPath(user.avatar),
    create_time: timeText(user.create_time),
  };
}

const megabyte = 1024 * 1024;

/** Whole megabytes; null: no limit. */
export function quotaOf({ quota_bytes }: Pick<UserRow, 'quota_bytes'>): number | null {
  return quota_bytes === null ? null : Math.floor(quota_bytes / megabyte);
}

/** What a row that joins its author, as `users`, has of them. */
export type Author = Pick<UserRow, 'username' | 'nickname' | 'avatar'>;
export const authorColumns = ['users.username', 'users.nickname', 'users.avatar'] as const;
export type UserBrief = Author & Pick<UserRow, 'id'>;

/** As everybody sees them: never email, mobile or birthday. */
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
