/** Reads a clean copy: pieces of the original and bytes of our own, as one stream that never shows the rest. */
import type { Readable } from 'node:stream';
import type { Part } from '../../platform/imaging/clean/clean.ts';
import { chunkStream } from '../../platform/storage/chunk-stream.ts';
import type { ByteRange, Storage } from '../../platform/storage/storage.ts';

/** What of the parts lies within a range of the copy that they make. */
export function partsWithin(parts: Part[], range: ByteRange): Part[] {
  const within: Part[] = [];
  let offset = 0;
  for (const part of parts) {
    const size = partSize(part);
    const start = Math.max(range.start - offset, 0);
    const end = Math.min(range.end - offset, size);
    if (start < end) within.push(slice(part, start, end));
    offset += size;
  }
  return within;
}

/**
 * The parts' bytes one after the other, undefined where the object is missing. What is read first of it is opened at
 * once: in a bucket, to ask beforehand whether it is there would take as long again. Destroying the stream closes
 * whatever is open, and ends it at once: it waits for no byte of a storage that gives none.
 */
export async function readParts(
  storage: Storage,
  name: string,
  parts: Part[],
): Promise<Readable | undefined> {
  const firstPart = parts.find((part): part is ByteRange => !('base64' in part));
  let current = firstPart && (await storage.open(name, firstPart));
  if (firstPart && !current) return undefined;
  // It may fail before it is read, while it has no listener; its reader gets the error all the same.
  current?.on('error', () => {});
  const open = async (part: ByteRange) => {
    if (part !== firstPart) current = await storage.open(name, part);
    // Whoever reads went away while the storage was asked.
    if (stream.destroyed) current?.destroy();
    return current;
  };
  const stream = chunkStream(chunks(parts, open), { onDestroy: () => current?.destroy() });
  return stream;
}

type OpenPart = (part: ByteRange) => Promise<Readable | undefined>;

async function* chunks(parts: Part[], open: OpenPart): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if ('base64' in part) {
      yield Buffer.from(part.base64, 'base64');
      continue;
    }
    const stream = await open(part);
    if (!stream) throw new Error('the object was removed while it was read');
    let left = part.end - part.start;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      left -= chunk.length;
      yield chunk;
    }
    // Its client was told how much there is, and would wait for the rest.
    if (left > 0) throw new Error('the object is shorter than it was');
  }
}

function slice(part: Part, start: number, end: number): Part {
  if (!('base64' in part)) return { start: part.start + start, end: part.start + end };
  return { base64: Buffer.from(part.base64, 'base64').subarray(start, end).toString('base64') };
}

function partSize(part: Part): number {
  return 'base64' in part ? Buffer.byteLength(part.base64, 'base64') : part.end - part.start;
}
