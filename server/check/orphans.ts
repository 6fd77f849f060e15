/** Objects that no row knows. The sweep's rules: older than the grace period, and looked at twice. */
import type { Deps } from '../deps.ts';
import { orphanGraceSeconds } from '../files/sweep.ts';
import { olderThan, orphanBatch, withoutRow } from '../files/sweep-orphans.ts';
import type { Round } from './findings.ts';

export async function checkOrphans({ deps, progress, report }: Round): Promise<void> {
  progress.begin('objects without a row');
  for await (const names of deps.storage.list()) {
    progress.step(names.length);
    for (let start = 0; start < names.length; start += orphanBatch) {
      for (const name of await orphansAmong(deps, names.slice(start, start + orphanBatch))) {
        await report({
          kind: 'object-without-row',
          subject: name,
          detail: '',
          repair: () => removeOrphan(deps, name),
        });
      }
    }
  }
}

async function orphansAmong(deps: Deps, names: string[]): Promise<string[]> {
  const unknown = await withoutRow(deps, names);
  const old = await olderThan(deps, unknown, orphanGraceSeconds);
  return withoutRow(deps, old);
}

async function removeOrphan(deps: Deps, name: string): Promise<boolean> {
  const [still] = await orphansAmong(deps, [name]);
  if (still === undefined) return false;
  await deps.storage.remove(name);
  return true;
}
