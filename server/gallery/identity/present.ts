/** Converts users to JSON with explicit lists of fields. */

import { UserStatus } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { timeText } from '../../platform/http/time.ts';
import { buildObjectPath } from '../../platform/storage/keys.ts';

/**
 * Signs the paths of avatars in one response. Without `signAvatar`, the paths are plain: the gallery is open to everyone.
 */
export interface AvatarSigner {
  signAvatar: ((objectName: string) => string) | undefined;
}

/**
 * Returns the path of an avatar, or '' without an avatar. A path without a signature is open to everyone, or needs the
 * cookie in a gallery for members.
 */
export function avatarPath(objectName: string, signer: AvatarSigner | undefined): string {
  if (objectName === '') return '';
  return signer?.signAvatar?.(objectName) ?? buildObjectPath(objectName);
}

export function presentAccount(user: UserRow, signer: AvatarSigner | undefined) {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    nickname: user.nickname,
    avatar: avatarPath(user.avatar, signer),
    create_time: timeText(user.create_time),
  };
}

const megabyte = 1024 * 1024;

/** Returns the quota in whole megabytes, or null without a limit. */
export function toQuotaMegabytes({ quota_bytes }: Pick<UserRow, 'quota_bytes'>): number | null {
  return quota_bytes === null ? null : Math.floor(quota_bytes / megabyte);
}

/** Columns of the author in a query that joins the author as `users`. */
export type AuthorColumns = Pick<UserRow, 'username' | 'nickname' | 'avatar'>;
export const authorColumns = ['users.username', 'users.nickname', 'users.avatar'] as const;
export type PublicUserRow = AuthorColumns & Pick<UserRow, 'id'>;

/** Returns the public fields of a user, never the email address, mobile number or birthday. */
export function presentUser(
  { id, username, nickname, avatar }: PublicUserRow,
  signer: AvatarSigner | undefined,
) {
  return { id, username, nickname, avatar: avatarPath(avatar, signer) };
}

/**
 * Returns the author of content whose account may be disabled or in deletion. A disabled or deleted author keeps
 * only the id, so that clients can tell two such authors apart.
 */
export function presentActor(
  { status, ...user }: PublicUserRow & Pick<UserRow, 'status'>,
  signer: AvatarSigner | undefined,
) {
  return presentUser(
    status === UserStatus.enabled ? user : { id: user.id, username: '', nickname: '', avatar: '' },
    signer,
  );
}
