/** Schema of a user's public fields, shown in lists and beside photos, albums and comments. */
import { Type } from '../../platform/schema/type.ts';

export const userFields = {
  id: Type.Integer(),
  username: Type.String({ examples: ['ansel'] }),
  nickname: Type.String({
    description: 'Display name; shown instead of the username unless ""',
    examples: ['Ansel'],
  }),
  avatar: Type.String({
    description: 'Path of the avatar, "" if none',
    examples: ['/storage/8b1d5e0c7a9f43c1b2d80e3b5c6f4a21.avatar.webp'],
  }),
};

export const User = Type.Object(userFields, { title: 'User' });
