/** Inputs and outputs of the admins' endpoints about accounts. */
import { type Static, Type } from 'typebox';
import { newPassword } from '../auth/schema.ts';
import { pageQuery } from '../http/pagination.ts';
import { flagField, textField } from '../http/schema.ts';

const sorts = ['create_time', 'username', 'storage_used'] as const;

export const UsersQuery = pageQuery({
  keyword: Type.Optional(textField(100, 'Substring of username, nickname or email, without regard to case')),
  status: Type.Optional(flagField('1 normal, 0 disabled')),
  is_admin: Type.Optional(flagField('1 admins, 0 everybody else')),
  sort: Type.Unsafe<(typeof sorts)[number]>({ type: 'string', enum: [...sorts], default: 'create_time' }),
  order: Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'], default: 'desc' }),
});
export type UsersQuery = Static<typeof UsersQuery>;

const quota = {
  type: ['integer', 'null'],
  minimum: 0,
  description: 'Megabytes (1,048,576 bytes) of originals; null: no limit; 0: nothing may be uploaded',
};

export const UserUpdate = Type.Object(
  {
    status: Type.Optional(flagField('1 normal, 0 disabled: ends all sessions, and API keys are refused')),
    is_admin: Type.Optional(Type.Boolean()),
    quota_mb: Type.Optional(Type.Unsafe<number | null>({ ...quota, maximum: 1_000_000_000 })),
    password: Type.Optional(newPassword),
    end_keys: Type.Optional(Type.Boolean({ description: 'true: ends all API keys of the account' })),
  },
  { examples: [{ status: 1, quota_mb: 5000 }] },
);

export const AdminUser = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  email: Type.String(),
  nickname: Type.String(),
  avatar: Type.String({ description: 'Path of the avatar, "" when none' }),
  status: Type.Integer({ description: '1 normal, 0 disabled' }),
  is_admin: Type.Boolean(),
  quota_mb: Type.Unsafe<number | null>(quota),
  storage_used: Type.Integer({ description: 'Bytes of originals, the trash included' }),
  photo_count: Type.Integer({ description: 'Photos, private ones included, the trash not' }),
  api_keys: Type.Integer({ description: 'API keys that have not expired' }),
  last_seen_time: Type.String({
    description:
      'Last use of a session or API key that still exists, to a quarter of an hour; "" when none does',
  }),
  create_time: Type.String({ description: 'UTC, YYYY-MM-DD HH:MM:SS' }),
});
export type AdminUser = Static<typeof AdminUser>;
