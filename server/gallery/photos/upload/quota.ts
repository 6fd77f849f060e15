/** Charges accounts for what they store, and refunds the charge when a file is deleted (ADR 50). */

import { sql } from 'kysely';
import { UserStatus } from '../../../platform/db/states.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import { type ApiError, errors } from '../../../platform/errors/catalogue.ts';

/**
 * Bytes that every original, edited version and open upload is charged in addition to its own. They pay for its
 * renditions and for the sizes that visitors ask for later: no read changes a quota. Migration 0039 has the same number.
 */
export const renditionAllowance = 1024 * 1024;

/** An original, an edited version, or a resumable upload that is not a photo yet. `size` is in bytes. */
export interface ChargedFile {
  size: number;
  /** Bytes beyond those, from `countOverhead`. */
  overhead?: number;
}

/** Four times the bytes of a camera's HEIC make a good JPEG. */
const maxFullGrowth = 4;

/**
 * Bytes of the `full` rendition that are charged, too: those beyond the allowance and four times the file. A photo has
 * none; a file that says little and shows noise may have fifty times its bytes.
 */
export function countOverhead(size: number, fullBytes: number): number {
  return Math.max(0, fullBytes - maxFullGrowth * size - renditionAllowance);
}

/** Bytes that the files count for in `users.used_bytes`. */
export function chargedBytes(files: ChargedFile[]): number {
  return files.reduce((sum, { size, overhead = 0 }) => sum + size + overhead + renditionAllowance, 0);
}

/**
 * The update is the check: two uploads at once cannot both take the last bytes. Returns the account's status, which
 * cannot change before the transaction ends. Throws quotaExceeded, or `gone` for an account that is being erased.
 */
export async function takeQuota(
  transaction: Transaction,
  userId: number,
  file: ChargedFile,
  gone: () => ApiError = errors.badToken,
): Promise<UserStatus> {
  const bytes = chargedBytes([file]);
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

/** Refunds files whose rows are deleted in this transaction. The caller has locked their photo or upload. */
export async function refundQuota(
  transaction: Transaction,
  userId: number,
  files: ChargedFile[],
): Promise<void> {
  await addUsedBytes(transaction, userId, -chargedBytes(files));
}

/** Adds to the charge without a check: a file that was made again has another size. */
export async function addUsedBytes(transaction: Transaction, userId: number, bytes: number): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ used_bytes: sql<number>`used_bytes + ${bytes}` })
    .where('id', '=', userId)
    .execute();
}
