/** Rows that tie accounts to people at an OpenID provider. */
import type { Deps } from '../../deps.ts';
import { UniqueViolation } from '../../platform/db/dialect.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { auditOwn, refuseManyActs } from '../moderation/audit.ts';

/** As the provider's claims name it and them. */
export interface Person {
  iss: string;
  sub: string;
}

export async function isTied({ db }: Deps, userId: number): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('identities')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Of this provider's people. */
export async function isTiedAt(transaction: Transaction, userId: number, issuer: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('identities')
    .select('id')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findTied(
  kysely: Deps['db']['kysely'],
  { iss, sub }: Person,
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
 * Whether they are tied to the account still. Its row is locked before, as by whatever ends ties: the other way round,
 * two of them wait for each other.
 */
export async function noteTieUse(
  deps: Deps,
  transaction: Transaction,
  userId: number,
  { iss, sub }: Person,
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

/** Written down, and told to nobody: who made the account knows. Throws forbidden where another was quicker. */
export async function tie(
  deps: Deps,
  transaction: Transaction,
  userId: number,
  { iss, sub }: Person,
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
      throw errors.forbidden({ message: 'Another account signs in this way already' });
    });
  await auditOwn(deps, transaction, userId, 'user.update', { oidc: true });
}

/** For good: from now on an email ties this account no more, only its owner. Returns how many there were. */
export async function endTies(transaction: Transaction, userId: number): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (numDeletedRows > 0n)
    await transaction.updateTable('users').set({ oidc_by_hand: 1 }).where('id', '=', userId).execute();
  return Number(numDeletedRows);
}
