/** Ten codes to keep on paper, each good once in place of one of the app: random bits, of which the hash is kept. */
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { countOf } from '../../../platform/db/rows.ts';
import type { Tables, Transaction } from '../../../platform/db/tables.ts';
import { tokenHash } from '../../identity/tokens.ts';

const howMany = 10;
/** 112 bits: from there on nobody needs a hash as slow as that of a password. Codes of 80 bits stay good. */
const codeBytes = 14;

/** In place of those there are. They are told once. */
export async function makeCodes(transaction: Transaction, userId: number): Promise<string[]> {
  await endCodes(transaction, userId);
  const codes = Array.from({ length: howMany }, newCode);
  const rows = codes.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code) }));
  await transaction.insertInto('recovery_codes').values(rows).execute();
  return codes;
}

/** `8f3a-90c1-…`: digits that look like no others. */
function newCode(): string {
  return randomBytes(codeBytes).toString('hex').match(/.{4}/g)!.join('-');
}

/** However it is typed: in capitals, with blanks or without the strokes. */
function hashOf(userId: number, code: string): string {
  return tokenHash(`recovery code of ${userId}: ${code.toLowerCase().replace(/[^0-9a-f]/g, '')}`);
}

/** Takes it away; returns how many are left, or undefined where it is none of the account's. */
export async function spendCode(
  transaction: Transaction,
  userId: number,
  code: string,
): Promise<number | undefined> {
  const { numDeletedRows } = await transaction
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(userId, code))
    .executeTakeFirst();
  return numDeletedRows === 1n ? countCodes(transaction, userId) : undefined;
}

export function countCodes(kysely: Kysely<Tables>, userId: number): Promise<number> {
  return countOf(kysely.selectFrom('recovery_codes').where('user_id', '=', userId));
}

export async function endCodes(transaction: Transaction, userId: number): Promise<void> {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}
