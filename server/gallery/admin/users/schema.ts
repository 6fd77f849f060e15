/** Schemas for requests and responses of the admin routes for accounts. */
import type { Static } from 'typebox';
import { paginatedQuery } from '../../../platform/http/pagination.ts';
import {
  choiceField,
  flagField,
  flagResponseField,
  nullableField,
  SortOrder,
  textField,
  timeField,
  timeOrEmptyField,
  trimmedField,
} from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { newPasswordField } from '../../accounts/schema.ts';
import { userFields } from '../../identity/user-schema.ts';

const userSorts = ['create_time', 'username', 'name', 'storage_used', 'last_seen_time'] as const;

export const AdminUsersQuery = paginatedQuery({
  keyword: Type.Optional(
    trimmedField(textField(100, 'Substring of username, nickname or email, without regard to case')),
  ),
  status: Type.Optional(flagField('1 enabled, 0 disabled')),
  is_admin: Type.Optional(flagField('1 admins, 0 all other users')),
  sort: choiceField(userSorts, {
    default: 'create_time',
    description: 'Sort key. `name`: nickname, or username if there is none; numbers sort as numbers',
  }),
  order: SortOrder,
});
export type AdminUsersQuery = Static<typeof AdminUsersQuery>;

const quota = {
  type: ['integer', 'null'],
  minimum: 0,
  description:
    'Storage quota in megabytes (1,048,576 bytes), compared with `storage_used`; null: no limit; ' +
    '0: no uploads',
};

export const AdminUserUpdate = Type.Object(
  {
    status: Type.Optional(flagField('1 enabled, 0 disabled: revokes all sessions and refuses API keys')),
    is_admin: Type.Optional(Type.Boolean()),
    quota_mb: Type.Optional(Type.Unsafe<number | null>({ ...quota, maximum: 1_000_000_000 })),
    password: Type.Optional(newPasswordField),
    end_keys: Type.Optional(
      nullableField(
        Type.Boolean({
          description:
            'true: deletes all API keys and passkeys of the account, and its connection with the OpenID ' +
            'provider',
        }),
      ),
    ),
    end_factor: Type.Optional(
      nullableField(Type.Boolean({ description: 'true: turns off two-step verification of the account' })),
    ),
  },
  { title: 'AdminUserUpdate', examples: [{ status: 1, quota_mb: 5000 }] },
);

export const PasswordResetLink = Type.Object(
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
    status: flagResponseField('1 enabled, 0 disabled'),
    is_admin: Type.Boolean(),
    quota_mb: Type.Unsafe<number | null>(quota),
    storage_used: Type.Integer({
      description:
        'Bytes of originals, edited versions and open uploads, including the trash. A version that an ' +
        'edit replaced counts for another hour. Each of them counts 1,048,576 bytes more for its ' +
        'thumbnails and sizes',
    }),
    photo_count: Type.Integer({ description: 'Number of photos, including private ones, without the trash' }),
    api_keys: Type.Integer({ description: 'Number of API keys that have not expired' }),
    last_seen_time: timeOrEmptyField(
      'Last use of a session or API key that still exists, accurate to 15 minutes',
      'if there is none',
    ),
    create_time: timeField(),
  },
  { title: 'AdminUser' },
);
export type AdminUser = Static<typeof AdminUser>;
