/** Records challenges and codes that were used, so that nobody can use them a second time. */
import type { Deps } from '../../deps.ts';
import type { Transaction } from '../../platform/db/tables.ts';

/**
 * Seconds for which a used challenge stays recorded. The time is longer than its validity, so that a clock that
 * jumps does not make the challenge valid again.
 */
const retentionSeconds = 7 * 86_400;

/**
 * Records the use of a challenge or code and returns whether it is the first use. `until` is its expiry time in
 * Unix seconds.
 */
export async function consumeCodeOnce(
  { clock }: Pick<Deps, 'clock'>,
  transaction: Transaction,
  what: string,
  until: number,
): Promise<boolean> {
  const due = clock() - retentionSeconds;
  await transaction.deleteFrom('used_challenges').where('expire_time', '<=', due).execute();
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('used_challenges')
    .values({ challenge: what, expire_time: until })
    .onConflict((conflict) => conflict.column('challenge').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows !== 0n;
}
