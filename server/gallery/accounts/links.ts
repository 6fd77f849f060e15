/**
 * Links that a person follows, each by a token of its own. Only its SHA-256 is kept: who reads the database, or a copy
 * of it, can use none.
 */
import type { Insertable, Kysely, Selectable } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { LinkKind, LinksTable, SentKind, Tables, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { maxClockSkew } from '../../platform/process/clock.ts';
import { newToken, tokenHash } from '../identity/tokens.ts';
import { lockEnabled } from '../identity/users.ts';

type NewLink = { kind: LinkKind; expire_time: number } & Partial<
  Pick<Insertable<LinksTable>, 'user_id' | 'invite_id' | 'email' | 'issuer' | 'subject' | 'is_admin'>
>;

/** Seconds that a link to choose a password, or to confirm an address, is good. */
export const linkLifetime = 3600;

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

/** `base`: without a trailing slash. What stands after `#` is in no log and no `Referer`; see ADR 40. */
export function linkUrl(base: string, kind: SentKind, token: string): string {
  return `${base}${pathOf[kind]}${token}`;
}

const pathOf: Record<SentKind, string> = { invite: '/join/', reset: '/reset#', email: '/confirm-email#' };

/** undefined for a token that never was, was used, or has expired. */
export function findLink(
  { clock }: Pick<Deps, 'clock'>,
  kysely: Kysely<Tables>,
  kind: LinkKind,
  token: string,
): Promise<Selectable<LinksTable> | undefined> {
  return (
    kysely
      .selectFrom('links')
      .selectAll()
      .where('token_hash', '=', tokenHash(token))
      .where('kind', '=', kind)
      .where('expire_time', '>', clock())
      // Made by a clock that was ahead, it would be good for longer.
      .where('create_time', '<=', clock() + maxClockSkew)
      .executeTakeFirst()
  );
}

/** Takes it away: of several who use it at once one gets it. Throws forbidden for one that is not good. */
export async function useLink(
  { clock }: Pick<Deps, 'clock'>,
  transaction: Transaction,
  kind: LinkKind,
  token: string,
): Promise<Selectable<LinksTable> & { user_id: number }> {
  const link = await transaction
    .deleteFrom('links')
    .where('token_hash', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('expire_time', '>', clock())
    // Made by a clock that was ahead, it would be good for longer.
    .where('create_time', '<=', clock() + maxClockSkew)
    .returningAll()
    .executeTakeFirst();
  if (!link || link.user_id === null) throw linkNotGood();
  return { ...link, user_id: link.user_id };
}

/** Of an account, which is locked first, as by whatever ends its links. Throws forbidden, also where it is disabled. */
export async function useOwnLink(
  deps: Pick<Deps, 'clock'>,
  transaction: Transaction,
  kind: LinkKind,
  token: string,
): Promise<Selectable<LinksTable> & { user_id: number }> {
  const link = await findLink(deps, transaction, kind, token);
  if (!link?.user_id || !(await lockEnabled(transaction, link.user_id))) throw linkNotGood();
  return useLink(deps, transaction, kind, token);
}

export function linkNotGood(): Error {
  return errors.forbidden({ message: 'This link is not good any more: it works once, for an hour' });
}

/** All of an account, and the mail that would make others: with what they prove, or where they lead, changed. */
export async function endLinks(transaction: Transaction, userId: number): Promise<void> {
  await transaction.deleteFrom('links').where('user_id', '=', userId).execute();
  // They stay as rows: an account may name so many addresses an hour (recovery/email.ts).
  await transaction
    .updateTable('mails')
    .set({ status: 'dropped', due_time: null })
    .where('user_id', '=', userId)
    .where('kind', '=', 'email')
    .where('due_time', 'is not', null)
    .execute();
}

/** Sign-ins that wait for their second factor begin anew. */
export async function endChallenges(transaction: Transaction, userId: number): Promise<void> {
  await transaction.deleteFrom('links').where('user_id', '=', userId).where('kind', '=', 'second').execute();
}

/** Seconds after its end: the sweep of a server whose clock is ahead takes no link away that is good on the others. */
const endedKeptSeconds = 86_400;

/** Run by the periodic task, tools/upkeep/sweep.ts. Returns how many were removed. */
export async function forgetOldLinks({ db, clock }: Deps): Promise<number> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom('links')
    .where('expire_time', '<=', clock() - endedKeptSeconds)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
