/** The command `lightwell orphans` counts orphans, removes them on request and releases the deletion lock. */
import { Command, InvalidArgumentError } from 'commander';
import type { Deps } from '../../deps.ts';
import { findDeletionClock } from '../../platform/db/observed-time.ts';
import {
  blocksAllDeletion,
  describeDeletionLock,
  releaseDeletionLock,
} from '../../platform/ownership/deletion-lock.ts';
import { renewStorageEpoch } from '../../platform/ownership/storage-epoch.ts';
import {
  findCurrentDeletionLock,
  findOrphans,
  orphanGraceSeconds,
  removeObjectsByName,
} from '../maintenance/orphans.ts';
import { countDueDeletions } from '../maintenance/rows.ts';
import { CommandError } from './failure.ts';
import { createProgressLine } from './progress.ts';
import { withDeps } from './run.ts';

export function orphansCommand(): Command {
  return new Command('orphans')
    .description('count orphans, and show whether the maintenance run deletes them')
    .option(
      '--remove <count>',
      'delete the orphans, if there are at most <count>, and release the deletion lock',
      parseCount,
    )
    .action(({ remove }: { remove?: number }) =>
      withDeps((deps) => (remove === undefined ? printOrphans(deps) : removeAll(deps, remove))),
    );
}

function parseCount(given: string): number {
  if (/^\d+$/.test(given)) return Number(given);
  throw new InvalidArgumentError('must be the maximum number of objects to delete');
}

async function printOrphans(deps: Deps): Promise<void> {
  const { objects, orphans } = await searchOrphans(deps);
  console.log(`database: ${deps.db.location}\nstorage:  ${deps.storage.location}`);
  console.log(`${orphans} of ${objects} objects have had no row in the database for more than a day.`);
  const deletionLock = await findCurrentDeletionLock(deps);
  if (!deletionLock) return console.log('The maintenance run deletes orphans once a day.');
  const since = new Date(deletionLock.since * 1000).toISOString();
  console.log(`Since ${since}, ${describeDeletionLock({ ...deletionLock, orphans: null })}`);
  if (blocksAllDeletion(deletionLock)) {
    const { removals, trash } = await countDueDeletions(deps, (await findDeletionClock(deps))());
    console.log(
      `${removals} due deletions and ${trash} photos that were in the trash for thirty days are ` +
        'waiting, too.',
    );
  }
  console.log(
    'If this is the wrong database or an older state of it, restore the right one first. To ' +
      'delete these objects permanently and release the deletion lock, run: lightwell orphans --remove ' +
      `${orphans}`,
  );
}

async function removeAll(deps: Deps, max: number): Promise<void> {
  let removed = 0;
  for (;;) {
    const { orphans, names } = await searchOrphans(deps);
    if (removed + orphans > max) {
      throw new CommandError(
        `${removed + orphans} objects have no row, but at most ${max} may be deleted. ${removed} were ` +
          'deleted',
      );
    }
    const gone = await removeObjectsByName(deps, names);
    removed += gone;
    // One search returns a limited number of names, so more orphans may remain.
    if (gone === 0) break;
  }
  await renewStorageEpoch(deps);
  await releaseDeletionLock(deps);
  deps.log.warn({ removed }, 'deleted objects without a row by command');
  console.log(`Deleted ${removed} objects and released the deletion lock.`);
}

async function searchOrphans(deps: Deps) {
  const progress = createProgressLine();
  progress.begin('objects compared with rows');
  const onStep = (objects: number) => progress.step(objects);
  return findOrphans(deps, { graceSeconds: orphanGraceSeconds, onStep }).finally(progress.end);
}
