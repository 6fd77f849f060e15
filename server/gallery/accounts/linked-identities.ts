/** Links accounts to identities at an OpenID provider, and removes these links. */
import type { Deps } from '../../deps.ts';
import { UniqueViolation } from '../../platform/db/dialect.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { recordOwnAccountAct, refuseManyActs } from '../moderation/audit.ts';

/** Identity at an OpenID provider: the claims for the provider and for the person's id there. */
export interface OidcSubject {
  iss: string;
  sub: string;
}

export async function hasLinkedIdentity({ db }: Deps, userId: number): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('identities')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether the account is linked to an identity of this provider. */
export async function isLinkedToProvider(
  transaction: Transaction,
  userId: number,
  issuer: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('identities')
    .select('id')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findLinkedUser(
  kysely: Deps['db']['kysely'],
  { iss, sub }: OidcSubject,
): Promise<number | undefined> {
  const row = await kysely
    .selectFrom('identities')
    .select('user_id')
    .where('issuer', '=', iss)
    .where('subject', '=', sub)
    .executeTakeFirst();
  return row?.user_id;
}

/**
 * Records the use of a linked identity. Returns whether the identity still belongs to the account. The caller has
 * locked the account, in the same order as removals of identities, to prevent a deadlock.
 */
export async function recordIdentityUse(
  deps: Deps,
  transaction: Transaction,
  userId: number,
  { iss, sub }: OidcSubject,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('identities')
    .set({ last_used_time: deps.clock() })
    .where('issuer', '=', iss)
    .where('subject', '=', sub)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Links an identity to an account and writes an audit entry. Sends no mail, because a new account's owner knows
 * about the link. Throws forbidden if another account has just taken the identity.
 */
export async function linkIdentity(
  deps: Deps,
  transaction: Transaction,
  userId: number,
  { iss, sub }: OidcSubject,
): Promise<void> {
  await refuseManyActs(deps, transaction, userId, 'user.update');
  const now = deps.clock();
  const row = { user_id: userId, issuer: iss, subject: sub, create_time: now, last_used_time: now };
  await transaction
    .insertInto('identities')
    .values(row)
    .execute()
    .catch((error: unknown) => {
      if (!(error instanceof UniqueViolation)) throw error;
      throw errors.forbidden({
        message: 'Your identity at the sign-in provider is already connected to another account',
      });
    });
  await recordOwnAccountAct(deps, transaction, userId, 'user.update', { oidc: true });
}

/**
 * Removes all linked identities of an account. From then on, only the owner can link the account again, never a
 * matching email address alone. Returns the number of removed identities.
 */
export async function unlinkIdentities(transaction: Transaction, userId: number): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (numDeletedRows > 0n)
    await transaction.updateTable('users').set({ oidc_by_hand: 1 }).where('id', '=', userId).execute();
  return Number(numDeletedRows);
}
