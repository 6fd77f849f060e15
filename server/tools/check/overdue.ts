/** What the sweep should have done long ago. */

import { holdsEverything } from '../../platform/ownership/brake.ts';
import { brakeNow } from '../upkeep/brake-now.ts';
import { carryOutRemovals, countDue, emptyTrash } from '../upkeep/rows.ts';
import type { Round } from './findings.ts';

/** The sweep runs every hour, and removes what it can at the next one: after a day, it does not. */
const timeoutSeconds = 86_400;

export async function checkOverdue({ deps, progress, report }: Round): Promise<void> {
  progress.begin('removals compared with the clock');
  const { removals, trash } = await countDue(deps, deps.clock() - timeoutSeconds);
  const isHeld = holdsEverything(await brakeNow(deps));
  if (removals > 0) {
    await report({
      kind: 'removals-overdue',
      subject: 'removals',
      detail: `${removals} objects`,
      ...(!isHeld && { repair: async () => (await carryOutRemovals(deps, undefined)) > 0 }),
    });
  }
  if (trash === 0) return;
  await report({
    kind: 'trash-overdue',
    subject: 'trash',
    detail: `${trash} photos`,
    ...(!isHeld && { repair: async () => (await emptyTrash(deps, undefined)) > 0 }),
  });
}
