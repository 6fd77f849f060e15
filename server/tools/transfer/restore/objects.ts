/** Stores the objects of an archive, those of one key together and a few keys at once. */

import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { parseObjectName } from '../../../platform/storage/keys.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { type Manifest, objectOfPath } from '../backup/format.ts';
import type { ArchiveEntry } from '../backup/reader.ts';
import { MoveError } from '../errors.ts';
import { type Received, receive, storeVerified } from '../receive.ts';
import { withRetries } from '../retry.ts';

const atOnce = 6;
/** More than a version of a photo has: objects wait in memory. */
const maxGroup = 8;

type Entries = AsyncGenerator<ArchiveEntry, Manifest>;

/** `first`: the entry after the rows. Returns how many objects were stored. */
export async function restoreObjects(
  storage: Storage,
  first: IteratorResult<ArchiveEntry, Manifest>,
  entries: Entries,
): Promise<number> {
  let stored = 0;
  await inParallel(groupsOf(storage, first, entries), atOnce, async (group) => {
    await storeWithRetries(storage, group);
    stored += group.length;
  });
  return stored;
}

/** A group that failed has lost its temporary files, so only what lies in memory is tried again. */
async function storeWithRetries(storage: Storage, group: Received[]): Promise<void> {
  const isInMemory = group.every(({ source }) => Buffer.isBuffer(source));
  await (isInMemory ? withRetries(() => storeVerified(storage, group)) : storeVerified(storage, group));
}

async function* groupsOf(
  storage: Storage,
  first: IteratorResult<ArchiveEntry, Manifest>,
  entries: Entries,
): AsyncGenerator<Received[]> {
  let group: Received[] = [];
  let key = '';
  for (let entry = first; !entry.done; entry = await entries.next()) {
    const { path, size, bytes } = entry.value;
    const name = objectOfPath(path);
    if (!name) throw new MoveError(`the archive is damaged: ${path} has no place in it`);
    const received = await receive(storage, name, size, bytes);
    const nextKey = parseObjectName(name)!.key;
    if (group.length > 0 && (nextKey !== key || group.length === maxGroup)) {
      yield group;
      group = [];
    }
    key = nextKey;
    group.push(received);
  }
  if (group.length > 0) yield group;
}
