/**
 * Links that a person follows, each by a token of its own. Only its SHA-256 is kept: who reads the database, or a copy
 * of it, can use none.
 */
import type { Kysely } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { LinkKind, LinksTable, Tables } from '../../platform/db/tables.ts';
import { newToken, tokenHash } from './tokens.ts';

type NewLink = { kind: LinkKind; expire_time: number } & Partial<
  Pick<LinksTable, 'user_id' | 'invite_id' | 'email'>
>;

/** Returns the token, which is not kept. */
export async function makeLink(
  { clock }: Pick<Deps, 'clock'>,
  kysely: Kysely<Tables>,
  link: NewLink,
): Promise<string> {
  const token = newToken();
  await kysely
    .insertInto('links')
    .values({
      token_hash: tokenHash(token),
      user_id: null,
      invite_id: null,
      email: '',
      create_time: clock(),
      ...link,
    })
    .execute();
  return token;
}

/** undefined for a token that never was, was used, or has expired. */
export function findLink(
  { clock }: Pick<Deps, 'clock'>,
  kysely: Kysely<Tables>,
  kind: LinkKind,
  token: string,
): Promise<LinksTable | undefined> {
  return kysely
    .selectFrom('links')
    .selectAll()
    .where('token_hash', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('expire_time', '>', clock())
    .executeTakeFirst();
}

/** Run by the periodic task, tools/upkeep/sweep.ts. Returns how many were removed. */
export async function forgetOldLinks({ db, clock }: Deps): Promise<number> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom('links')
    .where('expire_time', '<=', clock())
    .executeTakeFirst();
  return Number(numDeletedRows);
}
