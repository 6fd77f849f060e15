/** What upkeep asks before it removes anything on the word of rows: whether this database is the right one (ADR 21). */
import type { Deps } from '../../deps.ts';
import { type Brake, brakeByStamp, holdsEverything } from '../../platform/ownership/brake.ts';
import { lacksRows, olderThan, orphanBatch, orphanGraceSeconds, withoutRow } from './orphans.ts';

/** The brake that is on, or that must be. Writes nothing. Throws when the storage cannot be read. */
export async function brakeNow(deps: Deps): Promise<Brake | undefined> {
  const brake = await brakeByStamp(deps);
  if (holdsEverything(brake) || !(await lacksRows(deps)) || !(await holdsOrphan(deps))) return brake;
  return { objects: null, orphans: null, ...brake, reason: 'no-images', since: deps.clock() };
}

/** Ends at the first. A gallery without photos has few other objects. */
async function holdsOrphan(deps: Deps): Promise<boolean> {
  for await (const names of deps.storage.list()) {
    for (let start = 0; start < names.length; start += orphanBatch) {
      const unknown = await withoutRow(deps, names.slice(start, start + orphanBatch));
      if ((await olderThan(deps, unknown, orphanGraceSeconds)).length > 0) return true;
    }
  }
  return false;
}
