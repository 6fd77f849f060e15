/** What an account makes the storage hold: its originals and the edited versions of them, until these are removed. */

import { sql } from 'kysely';
import { UserStatus } from '../../../platform/db/states.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';

/**
 * The update is the check: two uploads at once cannot both take the last bytes. Returns the account's status, which
 * cannot change before the transaction ends. Throws quotaExceeded.
 */
export async function takeQuota(
  transaction: Transaction,
  userId: number,
  bytes: number,
): Promise<UserStatus> {
  const taken = await transaction
    .updateTable('users')
    .set({ used_bytes: sql<number>`used_bytes + ${bytes}` })
    .where('id', '=', userId)
    // An account that is being deleted takes nothing more.
    .where('status', '>=', UserStatus.disabled)
    .where(sql<boolean>`(quota_bytes IS NULL OR used_bytes + ${bytes} <= quota_bytes)`)
    .returning('status')
    .executeTakeFirst();
  if (!taken) throw errors.quotaExceeded();
  return taken.status;
}

/** Of versions whose rows go in this transaction; their photo is locked. */
export async function refundQuota(transaction: Transaction, userId: number, bytes: number): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ used_bytes: sql<number>`used_bytes - ${bytes}` })
    .where('id', '=', userId)
    .execute();
}
