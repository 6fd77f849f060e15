/**
 * Creates and consumes links, each with a token of its own. Only the SHA-256 hash of a token is stored, so a copy
 * of the database contains no usable link.
 */
import type { Insertable, Kysely, Selectable } from 'kysely';
import type { Deps } from '../../deps.ts';
import type {
  LinksTable,
  MailedLinkKind,
  OneTimeLinkKind,
  Tables,
  Transaction,
} from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { maxClockSkew } from '../../platform/process/clock.ts';
import { newToken, tokenHash } from '../identity/tokens.ts';
import { lockEnabledUser } from '../identity/users.ts';

type NewLink = { kind: OneTimeLinkKind; expire_time: number } & Partial<
  Pick<Insertable<LinksTable>, 'user_id' | 'invite_id' | 'email' | 'issuer' | 'subject' | 'is_admin'>
>;

/** Seconds for which a link to choose a password or to confirm an email address is valid. */
export const oneTimeLinkLifetime = 3600;

/** Creates a link and returns its token, which is stored only as a hash. */
export async function createOneTimeLink(
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

/**
 * Returns the URL of a link. `base` has no trailing slash. Logs and the `Referer` header do not contain the part
 * after `#` (ADR 40).
 */
export function buildLinkUrl(base: string, kind: MailedLinkKind, token: string): string {
  return `${base}${linkPaths[kind]}${token}`;
}

const linkPaths: Record<MailedLinkKind, string> = {
  invite: '/join/',
  reset: '/reset#',
  email: '/confirm-email#',
};

/** Finds a link by its token, or undefined if the token is unknown, used or expired. */
export function findOneTimeLink(
  { clock }: Pick<Deps, 'clock'>,
  kysely: Kysely<Tables>,
  kind: OneTimeLinkKind,
  token: string,
): Promise<Selectable<LinksTable> | undefined> {
  return (
    kysely
      .selectFrom('links')
      .selectAll()
      .where('token_hash', '=', tokenHash(token))
      .where('kind', '=', kind)
      .where('expire_time', '>', clock())
      // Refuse a link from a clock running ahead, because it would be valid for too long.
      .where('create_time', '<=', clock() + maxClockSkew)
      .executeTakeFirst()
  );
}

/**
 * Deletes a link and returns its row, so that only one of several parallel requests uses it. Throws forbidden for
 * an invalid link.
 */
export async function redeemOneTimeLink(
  { clock }: Pick<Deps, 'clock'>,
  transaction: Transaction,
  kind: OneTimeLinkKind,
  token: string,
): Promise<Selectable<LinksTable> & { user_id: number }> {
  const link = await transaction
    .deleteFrom('links')
    .where('token_hash', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('expire_time', '>', clock())
    // Refuse a link from a clock running ahead, because it would be valid for too long.
    .where('create_time', '<=', clock() + maxClockSkew)
    .returningAll()
    .executeTakeFirst();
  if (!link || link.user_id === null) throw invalidLinkError();
  return { ...link, user_id: link.user_id };
}

/**
 * Consumes a link of an account. Locks the account first, in the same order as every change that revokes its links.
 * Throws forbidden for an invalid link or a disabled account.
 */
export async function redeemAccountLink(
  deps: Pick<Deps, 'clock'>,
  transaction: Transaction,
  kind: OneTimeLinkKind,
  token: string,
): Promise<Selectable<LinksTable> & { user_id: number }> {
  const link = await findOneTimeLink(deps, transaction, kind, token);
  if (!link?.user_id || !(await lockEnabledUser(transaction, link.user_id))) throw invalidLinkError();
  return redeemOneTimeLink(deps, transaction, kind, token);
}

export function invalidLinkError(): Error {
  return errors.forbidden({
    message: 'This link is invalid or has expired. A link works once, within an hour.',
  });
}

/**
 * Deletes all links of an account and the queued mail that would create links. Needed when the password or email
 * address behind the links changes.
 */
export async function deleteAccountLinks(transaction: Transaction, userId: number): Promise<void> {
  await transaction.deleteFrom('links').where('user_id', '=', userId).execute();
  // Keep the rows of dropped mail, because they count toward the hourly limit of new email addresses
  // (recovery/email.ts).
  await transaction
    .updateTable('mails')
    .set({ status: 'dropped', due_time: null })
    .where('user_id', '=', userId)
    .where('kind', '=', 'email')
    .where('due_time', 'is not', null)
    .execute();
}

/** Deletes the challenges of sign-ins that wait for a second factor. Users must start these sign-ins again. */
export async function deleteSignInChallenges(transaction: Transaction, userId: number): Promise<void> {
  await transaction.deleteFrom('links').where('user_id', '=', userId).where('kind', '=', 'second').execute();
}

/**
 * Seconds for which an expired link stays in the database. A server with a clock running ahead therefore deletes no
 * link that is valid on other servers.
 */
const retentionSeconds = 86_400;

/**
 * Deletes links that expired long ago and returns the number of deleted rows. The maintenance run calls this
 * function.
 */
export async function purgeExpiredLinks({ db, clock }: Deps): Promise<number> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom('links')
    .where('expire_time', '<=', clock() - retentionSeconds)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
