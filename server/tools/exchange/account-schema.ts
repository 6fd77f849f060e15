/** The files of an export that tell of the account, at its top, version 1: what its owner has beside photos and albums. */
import type { Static } from 'typebox';
import { flagField, textField } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { exportVersion } from './schema.ts';

/** `account.json`. An import brings the profile back. */
export const AccountFile = Type.Object({
  schema: Type.Literal('lightwell-account'),
  version: Type.Literal(exportVersion),
  username: Type.String(),
  email: Type.String(),
  nickname: textField(50, 'Nickname'),
  bio: textField(500, 'Bio'),
  gender: Type.Unsafe<0 | 1 | 2>({ type: 'integer', enum: [0, 1, 2] }),
  birthday: Type.String({ format: 'birthday', maxLength: 10 }),
  mobile: textField(20, 'Telephone number'),
  is_admin: flagField('1: an admin of the gallery'),
  create_time: Type.String(),
});
export type AccountFile = Static<typeof AccountFile>;

export const accountFileName = 'account.json';
/** Not a photo of the gallery: an import at whose top it lies makes it the avatar. */
export const avatarFileName = 'lightwell-avatar.webp';
/** A photo, album or account that its reader may no longer see is told by its id alone. */
export const listFileNames = {
  likes: 'likes.json',
  favorites: 'favorites.json',
  comments: 'comments.json',
  following: 'following.json',
  shares: 'shares.json',
} as const;
export type ListName = keyof typeof listFileNames;
