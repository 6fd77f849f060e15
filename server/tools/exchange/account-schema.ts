/**
 * Schemas and names of the account files at the top of an export, version 1: the user's profile, avatar, reactions,
 * comments, follows and shares.
 */
import type { Static } from 'typebox';
import { flagField, textField } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { exportVersion } from './schema.ts';

/** Schema of `account.json`. An import restores the profile from this file. */
export const AccountJson = Type.Object({
  schema: Type.Literal('lightwell-account'),
  version: Type.Literal(exportVersion),
  username: Type.String(),
  email: Type.String(),
  nickname: textField(50, 'Nickname'),
  bio: textField(500, 'Bio'),
  gender: Type.Unsafe<0 | 1 | 2>({ type: 'integer', enum: [0, 1, 2] }),
  birthday: Type.String({ format: 'birthday', maxLength: 10 }),
  mobile: textField(20, 'Phone number'),
  is_admin: flagField('1: an admin of the gallery'),
  create_time: Type.String(),
});
export type AccountJson = Static<typeof AccountJson>;

export const accountFileName = 'account.json';
/** Name of the avatar's file. An import uses this file as the avatar and not as a photo. */
export const avatarFileName = 'lightwell-avatar.webp';
/**
 * Names of the files with lists. A photo, album or account that the user can no longer see appears only with its id.
 */
export const accountListFileNames = {
  likes: 'likes.json',
  favorites: 'favorites.json',
  comments: 'comments.json',
  following: 'following.json',
  shares: 'shares.json',
} as const;
export type AccountListName = keyof typeof accountListFileNames;
