/** Copies the objects that a gallery's rows name; those that are there already are compared instead. */
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import type { BulkReader } from '../../../platform/db/bulk.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { countGroups, type NamedObject, namedObjects, type ObjectGroup } from '../objects.ts';
import type { Progress } from '../progress.ts';
import { type Received, receive, smallBytes, storeVerified, sumOf, withRetries } from '../receive.ts';

/**
 * So many versions of photos are stored together, and so many of these batches are under way at once: what waits for
 * the disk or the network waits once for all of them. Memory for each version is a few megabytes.
 */
const batchGroups = 8;
const atOnce = 4;
/** Objects of a batch that are read at once. */
const readsAtOnce = 6;

export interface ObjectsCopied {
  /** Objects, and bytes, that were stored in this run; the others were there. */
  copied: number;
  bytes: number;
  present: number;
  /** Names that the source does not have. */
  missing: string[];
  /** Names whose bytes at the source are not those of the row; they were copied as they are. */
  damaged: string[];
}

interface Way {
  from: Storage;
  to: Storage;
  /** Where the rows are that name the objects. */
  rows: BulkReader;
  progress: Progress;
}

export async function copyObjects({ from, to, rows, progress }: Way): Promise<ObjectsCopied> {
  const result: ObjectsCopied = { copied: 0, bytes: 0, present: 0, missing: [], damaged: [] };
  progress.begin('pictures', await countGroups(rows));
  await inParallel(batchesOf(namedObjects(rows)), atOnce, async (groups) => {
    await withRetries(() => copyTogether(from, to, groups.flat(), result));
    progress.step(groups.length);
  });
  progress.end();
  return result;
}

/** Neighbours in the order of keys, which on a disk lie in one folder. */
async function* batchesOf(groups: AsyncIterable<ObjectGroup>): AsyncGenerator<ObjectGroup[]> {
  let batch: ObjectGroup[] = [];
  for await (const group of groups) {
    batch.push(group);
    if (batch.length < batchGroups) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function copyTogether(
  from: Storage,
  to: Storage,
  objects: NamedObject[],
  result: ObjectsCopied,
): Promise<void> {
  const received: Received[] = [];
  try {
    await inParallel(objects, readsAtOnce, async (object) => {
      const came = await takeUnlessPresent(from, to, object, result);
      if (came) received.push(came);
    });
    await storeVerified(to, received);
  } finally {
    // `put` has moved them; this is for those of an attempt that failed before it.
    for (const { source } of received) if (!Buffer.isBuffer(source)) await source.discard();
  }
  result.copied += received.length;
  for (const { size } of received) result.bytes += size;
}

async function takeUnlessPresent(
  from: Storage,
  to: Storage,
  { name, sha256, isOptional }: NamedObject,
  result: ObjectsCopied,
): Promise<Received | undefined> {
  const [there, here] = await Promise.all([from.stat(name), to.stat(name)]);
  if (!there) {
    if (!isOptional) note(result.missing, name);
    return undefined;
  }
  if (here?.size === there.size) {
    const sum = await sumOf(to, name, here.size);
    if (sum === (sha256 ?? (await sumOf(from, name, there.size)))) {
      result.present++;
      return undefined;
    }
  }
  const bytes = there.size <= smallBytes ? await from.read(name) : await from.open(name);
  // Gone since the question above.
  if (!bytes) return takeUnlessPresent(from, to, { name, sha256, isOptional }, result);
  const received = await receive(to, name, there.size, bytes);
  if (sha256 && received.sha256 !== sha256) note(result.damaged, name);
  return received;
}

/** A second attempt at a group names nothing twice. */
function note(names: string[], name: string): void {
  if (!names.includes(name)) names.push(name);
}
