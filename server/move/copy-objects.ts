/** Copies the objects that a gallery's rows name; those that are there already are compared instead. */
import type { BulkReader } from '../db/bulk.ts';
import { inParallel } from '../operations/in-parallel.ts';
import type { Storage } from '../storage/index.ts';
import { countGroups, type NamedObject, namedObjects, type ObjectGroup } from './objects.ts';
import type { Progress } from './progress.ts';
import { type Received, receive, storeVerified, sumOf } from './receive.ts';
import { withRetries } from './retry.ts';

/** Groups of objects under way at once: memory for each is a few megabytes. */
const atOnce = 6;

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
  progress.begin('pictures', await countGroups(rows.query));
  await inParallel(namedObjects(rows.query), atOnce, async (group) => {
    await withRetries(() => copyGroup(from, to, group, result));
    progress.step(1);
  });
  progress.end();
  return result;
}

async function copyGroup(
  from: Storage,
  to: Storage,
  group: ObjectGroup,
  result: ObjectsCopied,
): Promise<void> {
  const received: Received[] = [];
  try {
    for (const object of group) {
      const came = await takeUnlessPresent(from, to, object, result);
      if (came) received.push(came);
    }
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
    const sum = await sumOf(to, name);
    if (sum === (sha256 ?? (await sumOf(from, name)))) {
      result.present++;
      return undefined;
    }
  }
  const bytes = await from.open(name);
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
