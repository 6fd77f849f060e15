/** Copies the objects that a gallery's rows name. Objects that already exist in the target are compared instead. */
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import type { BulkReader } from '../../../platform/db/bulk.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { countObjectGroups, type NamedObject, type ObjectGroup, yieldNamedObjects } from '../objects.ts';
import type { TransferProgress } from '../progress.ts';
import {
  computeObjectChecksum,
  maxObjectBytesInMemory,
  type ReceivedObject,
  receiveObject,
  runWithRetries,
  storeAndVerifyObjects,
} from '../receive.ts';

/**
 * Number of image versions that are stored together. `atOnce` is the number of such batches in parallel. A batch waits
 * only once for the disk or network, and needs a few megabytes of memory for each version.
 */
const groupsPerBatch = 8;
const maxParallelCopies = 4;
/** Number of objects of a batch that are read in parallel. */
const readsAtOnce = 6;

export interface CopiedObjectCounts {
  /**
   * Number of objects that this run has stored. `bytes` is their total size, and `present` counts the objects that
   * already existed.
   */
  copied: number;
  bytes: number;
  present: number;
  /** Names of objects that the source lacks. */
  missing: string[];
  /** Names of objects whose bytes do not match their row. The objects were copied unchanged. */
  damaged: string[];
}

interface CopyRoute {
  from: Storage;
  to: Storage;
  /** Reader of the rows that name the objects. */
  rows: BulkReader;
  progress: TransferProgress;
}

export async function copyObjects({ from, to, rows, progress }: CopyRoute): Promise<CopiedObjectCounts> {
  const result: CopiedObjectCounts = { copied: 0, bytes: 0, present: 0, missing: [], damaged: [] };
  progress.begin('pictures', await countObjectGroups(rows));
  await inParallel(batchGroups(yieldNamedObjects(rows)), maxParallelCopies, async (groups) => {
    await runWithRetries(() => copyTogether(from, to, groups.flat(), result));
    progress.step(groups.length);
  });
  progress.end();
  return result;
}

/** Yields batches of groups with neighboring keys, which a storage folder has in the same subfolder. */
async function* batchGroups(groups: AsyncIterable<ObjectGroup>): AsyncGenerator<ObjectGroup[]> {
  let batch: ObjectGroup[] = [];
  for await (const group of groups) {
    batch.push(group);
    if (batch.length < groupsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function copyTogether(
  from: Storage,
  to: Storage,
  objects: NamedObject[],
  result: CopiedObjectCounts,
): Promise<void> {
  const received: ReceivedObject[] = [];
  try {
    await inParallel(objects, readsAtOnce, async (object) => {
      const came = await fetchIfAbsent(from, to, object, result);
      if (came) received.push(came);
    });
    await storeAndVerifyObjects(to, received);
  } finally {
    // `put` moves temporary files, so only the files of a failed attempt are left to delete.
    for (const { source } of received) if (!Buffer.isBuffer(source)) await source.discard();
  }
  result.copied += received.length;
  for (const { size } of received) result.bytes += size;
}

async function fetchIfAbsent(
  from: Storage,
  to: Storage,
  { name, sha256, isOptional }: NamedObject,
  result: CopiedObjectCounts,
): Promise<ReceivedObject | undefined> {
  const [there, here] = await Promise.all([from.stat(name), to.stat(name)]);
  if (!there) {
    if (!isOptional) addOnce(result.missing, name);
    return undefined;
  }
  if (here?.size === there.size) {
    const sum = await computeObjectChecksum(to, name, here.size);
    if (sum === (sha256 ?? (await computeObjectChecksum(from, name, there.size)))) {
      result.present++;
      return undefined;
    }
  }
  const bytes = there.size <= maxObjectBytesInMemory ? await from.read(name) : await from.open(name);
  // The source has deleted the object since the first check, so the check is repeated.
  if (!bytes) return fetchIfAbsent(from, to, { name, sha256, isOptional }, result);
  const received = await receiveObject(to, name, there.size, bytes);
  if (sha256 && received.sha256 !== sha256) addOnce(result.damaged, name);
  return received;
}

/** Adds the name of an object once, because a retry of a group finds the same objects again. */
function addOnce(names: string[], name: string): void {
  if (!names.includes(name)) names.push(name);
}
