/** Users as JSON: explicit lists of fields. */
import type { UserRow } from '../../platform/db/tables.ts';
import { timeText } from '../../platform/http/time.ts';
import { objectPath } from '../../platform/storage/keys.ts';
import type { UserStats } from './store.ts';

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

export function presentCurrentUser(user: UserRow, stats: UserStats) {
  return {
    ...presentAccount(user),
    bio: user.bio,
    gender: user.gender,
    birthday: user.birthday,
    mobile: user.mobile,
    status: user.status,
    is_admin: user.is_admin === 1,
    stats,
  };
}
