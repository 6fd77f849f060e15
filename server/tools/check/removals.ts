/** Removals that would take objects which are in use: the sweep would carry them out. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { each, pagesBy } from '../../platform/db/pages.ts';
import { holdsEverything } from '../../platform/ownership/brake.ts';
import { brakeNow } from '../upkeep/orphans.ts';
import { carryOutRemovals, countDue, emptyTrash } from '../upkeep/rows.ts';
import type { Round } from './findings.ts';

const pageSize = 500;

export async function checkRemovals({ deps, progress, report }: Round): Promise<void> {
  progress.begin('removals compared with rows');
  for await (const { object } of each(pagesBy(liveRemovals(deps), 'object', 'object', '', pageSize))) {
    await report({
      kind: 'live-removal',
      subject: object,
      detail: '',
      repair: () => dropRemoval(deps, object),
    });
  }
}

/** A version's row goes in the transaction that writes its removals: while there is a row, there must be none. */
function liveRemovals({ db }: Deps) {
  return db
    .slow()
    .selectFrom('removals')
    .select('object')
    .where((is) =>
      is.or([
        is.exists(
          is
            .selectFrom('images')
            .select('key')
            .where('key', '=', sql<string>`substr(removals.object, 1, 32)`),
        ),
        is.exists(
          is
            .selectFrom('upload_pieces')
            .select('object')
            .whereRef('upload_pieces.object', '=', 'removals.object'),
        ),
        is.exists(is.selectFrom('users').select('id').whereRef('users.avatar', '=', 'removals.object')),
      ]),
    );
}

async function dropRemoval(deps: Deps, object: string): Promise<boolean> {
  // The object's row cannot come into being: if it was there a moment ago, either it is, or the removal is due.
  const [still] = await liveRemovals(deps).where('object', '=', object).execute();
  if (!still) return false;
  await deps.db.kysely.deleteFrom('removals').where('object', '=', object).execute();
  return true;
}

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
