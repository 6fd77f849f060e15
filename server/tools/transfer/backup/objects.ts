/** Lists the objects for an archive, and reads them a few groups ahead. */
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { NamedObject, ObjectGroup } from '../objects.ts';
import { runWithRetries } from '../receive.ts';

/**
 * Number of groups to read ahead, so that a slow storage serves them in parallel. Small objects of a group wait in
 * memory, a few megabytes at most.
 */
const objectsReadAhead = 6;

const smallBytes = 1024 * 1024;

export type SpooledObjectNames = Awaited<ReturnType<typeof spoolObjectNames>>;

/** Writes the names of objects to a file, because millions of names do not fit in memory. */
export async function spoolObjectNames(file: string, groups: AsyncIterable<ObjectGroup>) {
  let count = 0;
  await pipeline(
    async function* () {
      for await (const group of groups) {
        count++;
        yield `${JSON.stringify(group)}\n`;
      }
    },
    createWriteStream(file, { mode: 0o600 }),
  );
  return {
    groups: count,
    async *read(): AsyncGenerator<ObjectGroup> {
      for await (const line of createInterface({ input: createReadStream(file) })) {
        yield JSON.parse(line) as ObjectGroup;
      }
    },
  };
}

export interface FetchedObject {
  object: NamedObject;
  size: number;
  /** Opens the object. Returns undefined if the storage has no such object. */
  open(): Promise<AsyncIterable<Buffer> | undefined>;
}

/** Yields the sizes of each group's objects with functions that open them, in the order of the groups. */
export async function* prefetchObjects(
  storage: Storage,
  groups: AsyncIterable<ObjectGroup>,
): AsyncGenerator<FetchedObject[]> {
  const under: Promise<FetchedObject[]>[] = [];
  for await (const group of groups) {
    const fetching = Promise.all(group.map((object) => runWithRetries(() => fetchOne(storage, object))));
    // An early rejection is handled later, when the group is yielded.
    fetching.catch(() => {});
    under.push(fetching);
    if (under.length > objectsReadAhead) yield await under.shift()!;
  }
  for (const fetching of under) yield await fetching;
}

async function fetchOne(storage: Storage, object: NamedObject): Promise<FetchedObject> {
  const stored = await storage.stat(object.name);
  if (!stored) return { object, size: 0, open: async () => undefined };
  const { size } = stored;
  if (size > smallBytes) return { object, size, open: () => storage.open(object.name) };
  const bytes = await storage.read(object.name);
  return { object, size, open: async () => bytes && yieldSingleChunk(bytes) };
}

/** Yields a single buffer as a stream. */
export async function* yieldSingleChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}
