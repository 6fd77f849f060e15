/**
 * Manages recovery codes. A user has ten codes of random bits, and each code replaces a code of the app once. Only
 * hashes are stored.
 */
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { countRows } from '../../../platform/db/rows.ts';
import type { Tables, Transaction } from '../../../platform/db/tables.ts';
import { tokenHash } from '../../identity/tokens.ts';

const codeCount = 10;
/**
 * Number of random bytes of a recovery code. A code of 112 bits is so hard to guess that a fast hash is safe. Older
 * codes of 80 bits stay valid.
 */
const codeBytes = 14;

/** Replaces the user's recovery codes and returns the new codes, which are not stored in readable form. */
export async function createRecoveryCodes(transaction: Transaction, userId: number): Promise<string[]> {
  await deleteRecoveryCodes(transaction, userId);
  const codes = Array.from({ length: codeCount }, newCode);
  const rows = codes.map((code) => ({ user_id: userId, code_hash: hashCode(userId, code) }));
  await transaction.insertInto('recovery_codes').values(rows).execute();
  return codes;
}

/** Returns a new recovery code such as `8f3a-90c1-…`, with digits that are easy to tell apart. */
function newCode(): string {
  return randomBytes(codeBytes).toString('hex').match(/.{4}/g)!.join('-');
}

/**
 * Returns the hash of a recovery code. Capital letters, spaces and missing dashes in the typed code do not matter.
 */
function hashCode(userId: number, code: string): string {
  return tokenHash(`recovery code of ${userId}: ${code.toLowerCase().replace(/[^0-9a-f]/g, '')}`);
}

/** Deletes a recovery code and returns how many are left, or undefined if the account has no such code. */
export async function consumeRecoveryCode(
  transaction: Transaction,
  userId: number,
  code: string,
): Promise<number | undefined> {
  const { numDeletedRows } = await transaction
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashCode(userId, code))
    .executeTakeFirst();
  return numDeletedRows === 1n ? countRecoveryCodes(transaction, userId) : undefined;
}

export function countRecoveryCodes(kysely: Kysely<Tables>, userId: number): Promise<number> {
  return countRows(kysely.selectFrom('recovery_codes').where('user_id', '=', userId));
}

export async function deleteRecoveryCodes(transaction: Transaction, userId: number): Promise<void> {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}
