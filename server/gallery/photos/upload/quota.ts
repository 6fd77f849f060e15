/** Charges accounts for the bytes that they store, and refunds the charge when files are deleted (ADR 50). */

import { sql } from 'kysely';
import { UserStatus } from '../../../platform/db/states.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import { type ApiError, errors } from '../../../platform/errors/catalogue.ts';

/**
 * Bytes that are charged for every original, edited version and open upload, in addition to its own bytes. The
 * allowance covers renditions, and sizes that are rendered later, so that reading a photo never changes a quota.
 * Migration 0039 has the same number.
 */
export const renditionAllowanceBytes = 1024 * 1024;

/**
 * A file that counts against the quota: an original, an edited version, or an unfinished resumable upload. `size` is in
 * bytes.
 */
export interface ChargedFile {
  size: number;
  /** Bytes that are charged in addition to `size` and the allowance, from `countFullRenditionOverhead`. */
  overhead?: number;
}

/**
 * Factor of the file size up to which the `full` rendition is free. Bytes above that size count against the user's
 * quota. A good JPEG needs up to four times the bytes of a camera's HEIC.
 */
const maxFullGrowth = 4;

/**
 * Returns the bytes of the `full` rendition that exceed the allowance and four times the file, which are charged too.
 * For ordinary photos the result is 0. A small file full of noise can have a rendition of fifty times its bytes.
 */
export function countFullRenditionOverhead(size: number, fullBytes: number): number {
  return Math.max(0, fullBytes - maxFullGrowth * size - renditionAllowanceBytes);
}

/** Returns the number of bytes that the files add to `users.used_bytes`. */
export function chargedBytes(files: ChargedFile[]): number {
  return files.reduce((sum, { size, overhead = 0 }) => sum + size + overhead + renditionAllowanceBytes, 0);
}

/**
 * Charges a file to an account. One statement checks and updates the quota, so that two concurrent uploads cannot both
 * use the last bytes. Returns the account's status, which cannot change before the transaction ends. Throws
 * quotaExceeded, or the error of `gone` for an account that is being deleted.
 */
export async function reserveQuota(
  transaction: Transaction,
  userId: number,
  file: ChargedFile,
  createError: () => ApiError = errors.badToken,
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
  throw account ? errors.quotaExceeded() : createError();
}

/** Refunds files whose rows are deleted in the same transaction. The caller has locked their photo or upload. */
export async function refundQuota(
  transaction: Transaction,
  userId: number,
  files: ChargedFile[],
): Promise<void> {
  await addUsedBytes(transaction, userId, -chargedBytes(files));
}

/**
 * Changes the charge of an account without checking the quota, because a file that was rendered again can have another
 * size.
 */
export async function addUsedBytes(transaction: Transaction, userId: number, bytes: number): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ used_bytes: sql<number>`used_bytes + ${bytes}` })
    .where('id', '=', userId)
    .execute();
}
