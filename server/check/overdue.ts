/** What the sweep should have done long ago. */
import { carryOutRemovals, emptyTrash, trashSeconds } from '../files/sweep-rows.ts';
import type { Round } from './findings.ts';

/** The sweep runs every hour, and removes what it can at the next one: after a day, it does not. */
const patienceSeconds = 86_400;

export async function checkOverdue({ deps, progress, report }: Round): Promise<void> {
  progress.begin('overdue removals');
  const { db, clock } = deps;
  const due = clock() - patienceSeconds;
  const removals = await db.slow
    .selectFrom('removals')
    .select((is) => is.fn.countAll<number>().as('n'))
    .where('due_time', '<=', due)
    .executeTakeFirstOrThrow();
  if (removals.n > 0) {
    await report({
      kind: 'removals-overdue',
      subject: 'removals',
      detail: `${removals.n} objects`,
      repair: async () => (await carryOutRemovals(deps, undefined)) > 0,
    });
  }
  const trash = await db.slow
    .selectFrom('photos')
    .select((is) => is.fn.countAll<number>().as('n'))
    .where('delete_time', '<=', due - trashSeconds)
    .where('visibility', '=', 0)
    .executeTakeFirstOrThrow();
  if (trash.n === 0) return;
  await report({
    kind: 'trash-overdue',
    subject: 'trash',
    detail: `${trash.n} photos`,
    repair: async () => (await emptyTrash(deps, undefined)) > 0,
  });
}
