/** What an account makes the storage hold: its originals and the edited versions of them, until these are removed. */

import { sql } from 'kysely';
import { UserStatus } from '../../../platform/db/states.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import { type ApiError, errors } from '../../../platform/errors/catalogue.ts';

/**
 * The update is the check: two uploads at once cannot both take the last bytes. Returns the account's status, which
 * cannot change before the transaction ends. Throws quotaExceeded, or `gone` for an account that is being erased.
 */
export async function takeQuota(
  transaction: Transaction,
  userId: number,
  bytes: number,
  gone: () => ApiError = errors.badToken,
): Promise<UserStatus> {
  const taken = await transaction
    .updateTable('users')
    .set({ used_bytes: sql<number>`used_bytes + ${bytes}` })
    .where('id', '=', userId)
    .where('status', '>=', UserStatus.disabled)
    .where(sql<boolean>`(quota_bytes IS NULL OR used_bytes + ${bytes} <= quota_bytes)`)
    .returning('status')
    .executeTakeFirst();
  if (taken) return taken.status;
  const account = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('status', '>=', UserStatus.disabled)
    .executeTakeFirst();
  throw account ? errors.quotaExceeded() : gone();
}

/** Of versions whose rows go in this transaction; their photo is locked. */
export async function refundQuota(transaction: Transaction, userId: number, bytes: number): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ used_bytes: sql<number>`used_bytes - ${bytes}` })
    .where('id', '=', userId)
    .execute();
}
