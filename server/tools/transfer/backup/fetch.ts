/** Reads objects a few groups ahead, so that a storage that takes its time to answer is asked in parallel. */

import type { Storage } from '../../../platform/storage/storage.ts';
import type { NamedObject, ObjectGroup } from '../objects.ts';
import { withRetries } from '../retry.ts';

/** Groups ahead: small objects wait in memory, a few megabytes each group. */
const ahead = 6;

const smallBytes = 1024 * 1024;

export interface Fetched {
  object: NamedObject;
  size: number;
  /** Undefined when the storage has no such object. */
  open(): Promise<AsyncIterable<Buffer> | undefined>;
}

/** In the order of the groups. */
export async function* fetchAhead(
  storage: Storage,
  groups: AsyncIterable<ObjectGroup>,
): AsyncGenerator<Fetched[]> {
  const under: Promise<Fetched[]>[] = [];
  for await (const group of groups) {
    const fetching = Promise.all(group.map((object) => withRetries(() => fetchOne(storage, object))));
    // Seen when it is fetched.
    fetching.catch(() => {});
    under.push(fetching);
    if (under.length > ahead) yield await under.shift()!;
  }
  for (const fetching of under) yield await fetching;
}

async function fetchOne(storage: Storage, object: NamedObject): Promise<Fetched> {
  const stored = await storage.stat(object.name);
  if (!stored) return { object, size: 0, open: async () => undefined };
  const { size } = stored;
  if (size > smallBytes) return { object, size, open: () => storage.open(object.name) };
  const bytes = await storage.read(object.name);
  return { object, size, open: async () => bytes && once(bytes) };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}
