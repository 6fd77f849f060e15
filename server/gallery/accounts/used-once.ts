/** What is good once: noted when it was used, so that nobody uses it a second time. */
import type { Deps } from '../../deps.ts';
import type { Transaction } from '../../platform/db/tables.ts';

/** Longer than it is good: a clock that jumps ahead or back must not make it good again. */
const keptSeconds = 7 * 86_400;

/** Whether it is the first time. `until`: Unix seconds, when it is good no more. */
export async function takeOnce(
  { clock }: Pick<Deps, 'clock'>,
  transaction: Transaction,
  what: string,
  until: number,
): Promise<boolean> {
  const due = clock() - keptSeconds;
  await transaction.deleteFrom('used_challenges').where('expire_time', '<=', due).execute();
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('used_challenges')
    .values({ challenge: what, expire_time: until })
    .onConflict((conflict) => conflict.column('challenge').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows !== 0n;
}
