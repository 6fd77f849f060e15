/** Schemas for requests and responses of the admin routes for accounts. */
import type { Static } from 'typebox';
import { pageQuery } from '../../../platform/http/pagination.ts';
import {
  choice,
  flagAnswer,
  flagField,
  orNull,
  SortOrder,
  textField,
  timeField,
  timeOrNone,
} from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { newPassword } from '../../accounts/schema.ts';
import { userFields } from '../../identity/user-schema.ts';

const sorts = ['create_time', 'username', 'storage_used'] as const;

export const UsersQuery = pageQuery({
  keyword: Type.Optional(textField(100, 'Substring of username, nickname or email, without regard to case')),
  status: Type.Optional(flagField('1 normal, 0 disabled')),
  is_admin: Type.Optional(flagField('1 admins, 0 everybody else')),
  sort: choice(sorts, { default: 'create_time', description: 'Sort key' }),
  order: SortOrder,
});
export type UsersQuery = Static<typeof UsersQuery>;

const quota = {
  type: ['integer', 'null'],
  minimum: 0,
  description:
    'Megabytes (1,048,576 bytes) that `storage_used` may come to; null: no limit; 0: nothing may be uploaded',
};

export const UserUpdate = Type.Object(
  {
    status: Type.Optional(flagField('1 normal, 0 disabled: ends all sessions, and API keys are refused')),
    is_admin: Type.Optional(Type.Boolean()),
    quota_mb: Type.Optional(Type.Unsafe<number | null>({ ...quota, maximum: 1_000_000_000 })),
    password: Type.Optional(newPassword),
    end_keys: Type.Optional(
      orNull(
        Type.Boolean({
          description:
            'true: ends all API keys and passkeys of the account, and its tie to the OpenID provider',
        }),
      ),
    ),
    end_factor: Type.Optional(
      orNull(Type.Boolean({ description: 'true: switches the second factor of the account off' })),
    ),
  },
  { title: 'AdminUserUpdate', examples: [{ status: 1, quota_mb: 5000 }] },
);

export const ResetLink = Type.Object(
  {
    url: Type.String({
      examples: ['https://photos.example.org/reset#hm8Jq0c2mXl3v1nB5tYzR7wKpGdHsAiFbWtKcYvZuN4'],
    }),
    expires_in: Type.Integer({ description: 'Seconds', examples: [3600] }),
  },
  { title: 'ResetLink' },
);

export const AdminUser = Type.Object(
  {
    id: Type.Integer(),
    username: userFields.username,
    email: Type.String({ examples: ['ansel@example.org'] }),
    nickname: userFields.nickname,
    avatar: userFields.avatar,
    status: flagAnswer('1 normal, 0 disabled'),
    is_admin: Type.Boolean(),
    quota_mb: Type.Unsafe<number | null>(quota),
    storage_used: Type.Integer({
      description:
        'Bytes of originals, edited versions and open uploads, the trash included, and for an hour of versions that ' +
        'edits replaced; each with 1,048,576 bytes for its thumbnails and sizes',
    }),
    photo_count: Type.Integer({ description: 'Photos, private ones included, the trash not' }),
    api_keys: Type.Integer({ description: 'API keys that have not expired' }),
    last_seen_time: timeOrNone(
      'Last use of a session or API key that still exists, to a quarter of an hour',
      'when none does',
    ),
    create_time: timeField(),
  },
  { title: 'AdminUser' },
);
export type AdminUser = Static<typeof AdminUser>;
