/** Reads a clean copy: pieces of the original and bytes of our own, as one stream that never shows the rest. */
import { Readable } from 'node:stream';
import type { Part } from '../imaging/clean.ts';
import type { ByteRange, Storage } from '../storage/index.ts';

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

/** The parts' bytes one after the other. Destroying the stream closes whatever is open. */
export function readParts(storage: Storage, name: string, parts: Part[]): Readable {
  return Readable.from(chunks(storage, name, parts), { objectMode: false });
}

async function* chunks(storage: Storage, name: string, parts: Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if ('base64' in part) {
      yield Buffer.from(part.base64, 'base64');
      continue;
    }
    const stream = await storage.open(name, part);
    if (!stream) throw new Error('the object was removed while it was read');
    yield* stream as AsyncIterable<Buffer>;
  }
}

function slice(part: Part, start: number, end: number): Part {
  if (!('base64' in part)) return { start: part.start + start, end: part.start + end };
  return { base64: Buffer.from(part.base64, 'base64').subarray(start, end).toString('base64') };
}

function partSize(part: Part): number {
  return 'base64' in part ? Buffer.byteLength(part.base64, 'base64') : part.end - part.start;
}
