/** Objects that no row knows: what a crash between storing and committing leaves behind. */
import type { Deps } from '../deps.ts';
import { parseObjectName } from '../storage/keys.ts';
import type { Stop } from './sweep-batches.ts';

/** Names in one query, below the number of parameters that either database takes. */
export const orphanBatch = 500;

/** Removes objects that are in their place for longer than the grace period, without a row. Returns how many. */
export async function removeOrphans(deps: Deps, graceSeconds: number, stop: Stop): Promise<number> {
  let removed = 0;
  for await (const names of deps.storage.list()) {
    if (stop?.aborted) break;
    for (let start = 0; start < names.length; start += orphanBatch) {
      const unknown = await withoutRow(deps, names.slice(start, start + orphanBatch));
      const old = await olderThan(deps, unknown, graceSeconds);
      // The second look: a row may have been committed between the first one and the question of age.
      for (const name of await withoutRow(deps, old)) {
        await deps.storage.remove(name);
        removed++;
      }
    }
  }
  return removed;
}

/** Those that are in their place for so long. */
export async function olderThan(
  { storage, clock }: Deps,
  names: string[],
  seconds: number,
): Promise<string[]> {
  const old: string[] = [];
  for (const name of names) {
    const stored = await storage.stat(name);
    if (stored && stored.modified + seconds <= clock()) old.push(name);
  }
  return old;
}

/** Those that belong to no image and no user. A removal's object waits for its time, so it is known, too. */
export async function withoutRow({ db }: Deps, names: string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const keys = [...new Set(names.map((name) => parseObjectName(name)!.key))];
  const avatarNames = names.filter(isAvatar);
  const [images, removals, avatars] = await Promise.all([
    db.slow.selectFrom('images').select('key').where('key', 'in', keys).execute(),
    db.slow.selectFrom('removals').select('object').where('object', 'in', names).execute(),
    // PostgreSQL refuses an empty list.
    avatarNames.length === 0
      ? []
      : db.slow.selectFrom('users').select('avatar').where('avatar', 'in', avatarNames).execute(),
  ]);
  const knownKeys = new Set(images.map(({ key }) => key));
  const knownNames = new Set([
    ...avatars.map(({ avatar }) => avatar),
    ...removals.map(({ object }) => object),
  ]);
  return names.filter((name) => !knownKeys.has(parseObjectName(name)!.key) && !knownNames.has(name));
}

function isAvatar(name: string): boolean {
  return parseObjectName(name)?.kind === 'avatar';
}
