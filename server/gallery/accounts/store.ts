/** Reads and writes the rows of accounts. */

import type { Deps } from '../../deps.ts';
import { UniqueViolation } from '../../platform/db/dialect.ts';
import { foldText } from '../../platform/db/fold.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { readSiteSettings } from '../identity/site-settings.ts';
import { getUser } from '../identity/users.ts';
import { createNameColumns } from './names.ts';
import type { ProfileUpdate } from './schema.ts';

export interface NewUser {
  username: string;
  email: string;
  passwordHash: string;
  isAdmin?: boolean;
}

/** Inserts an account. Throws usernameTaken or emailTaken. The unique indexes decide between parallel requests. */
export async function insertUser(
  { db, clock, config }: Deps,
  user: NewUser,
  kysely: Deps['db']['kysely'] = db.kysely,
): Promise<UserRow> {
  try {
    return await kysely
      .insertInto('users')
      .values({
        username: user.username,
        username_key: foldText(user.username),
        email: user.email,
        email_key: foldText(user.email),
        password_hash: user.passwordHash,
        ...createNameColumns(user.username, ''),
        avatar: '',
        bio: '',
        gender: 0,
        birthday: '',
        mobile: '',
        status: UserStatus.enabled,
        is_admin: user.isAdmin ? 1 : 0,
        quota_bytes: (await readSiteSettings(config, kysely)).defaultQuotaBytes,
        used_bytes: 0,
        create_time: clock(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  } catch (error) {
    if (error instanceof UniqueViolation) throw takenError(error);
    throw error;
  }
}

function takenError({ detail }: UniqueViolation): Error {
  return detail.includes('email') ? errors.emailTaken() : errors.usernameTaken();
}

/**
 * Throws usernameTaken or emailTaken if another account has the name or email address. Registration calls this check
 * before the expensive password hash.
 */
export async function refuseTakenAccountNames({ db }: Deps, username: string, email: string): Promise<void> {
  const taken = await db.kysely
    .selectFrom('users')
    .select(['username_key', 'email_key'])
    .where((or) =>
      or.or([or('username_key', '=', foldText(username)), or('email_key', '=', foldText(email))]),
    )
    .execute();
  if (taken.some((user) => user.username_key === foldText(username))) throw errors.usernameTaken();
  if (taken.length > 0) throw errors.emailTaken();
}

/** Finds an account by username, or by email address if the text contains an @, which no username does. */
export function findUserByLogin({ db }: Deps, login: string): Promise<UserRow | undefined> {
  return db.kysely
    .selectFrom('users')
    .selectAll()
    .where(login.includes('@') ? 'email_key' : 'username_key', '=', foldText(login))
    .executeTakeFirst();
}

export async function updateProfile({ db }: Deps, id: number, profile: ProfileUpdate): Promise<void> {
  if (Object.values(profile).every((value) => value === undefined)) return;
  const { nickname } = profile;
  // Usernames never change, so the read and the update need no transaction.
  const names =
    nickname === undefined ? {} : createNameColumns((await getUser({ db }, id)).username, nickname);
  await db.kysely
    .updateTable('users')
    .set({ ...profile, ...names })
    .where('id', '=', id)
    .execute();
}
