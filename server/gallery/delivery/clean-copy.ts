/** Reads a clean copy as one stream: ranges of the original and inserted bytes, without the metadata between them. */
import type { Readable } from 'node:stream';
import type { CleanPart } from '../../platform/imaging/clean/clean.ts';
import { chunkStream } from '../../platform/storage/chunk-stream.ts';
import type { ByteRange, Storage } from '../../platform/storage/storage.ts';

/** Returns the parts, or sections of parts, that lie within a byte range of the clean copy. */
export function selectCleanPartsInRange(parts: CleanPart[], range: ByteRange): CleanPart[] {
  const within: CleanPart[] = [];
  let offset = 0;
  for (const part of parts) {
    const size = partSize(part);
    const start = Math.max(range.start - offset, 0);
    const end = Math.min(range.end - offset, size);
    if (start < end) within.push(slicePart(part, start, end));
    offset += size;
  }
  return within;
}

/**
 * Returns the bytes of the parts as one stream, or undefined if the object is missing. Opens the first range at
 * once, because a separate check of the object would double the time in an S3 bucket. Destroying the stream closes
 * the open object at once, even while the storage does not respond.
 */
export async function streamCleanParts(
  storage: Storage,
  name: string,
  parts: CleanPart[],
): Promise<Readable | undefined> {
  const firstPart = parts.find((part): part is ByteRange => !('base64' in part));
  let current = firstPart && (await storage.open(name, firstPart));
  if (firstPart && !current) return undefined;
  // Ignore errors of the object before anything reads it. The reader of the stream still receives the error.
  current?.on('error', () => {});
  const open = async (part: ByteRange) => {
    if (part !== firstPart) current = await storage.open(name, part);
    // The client may have disconnected while the storage opened the object.
    if (stream.destroyed) current?.destroy();
    return current;
  };
  const stream = chunkStream(readCleanChunks(parts, open), { onDestroy: () => current?.destroy() });
  return stream;
}

type OpenPart = (part: ByteRange) => Promise<Readable | undefined>;

async function* readCleanChunks(parts: CleanPart[], open: OpenPart): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if ('base64' in part) {
      yield Buffer.from(part.base64, 'base64');
      continue;
    }
    const stream = await open(part);
    if (!stream) throw new Error('the object was removed during the read');
    let left = part.end - part.start;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      left -= chunk.length;
      yield chunk;
    }
    // Fail if the object is too short, because the client knows the length of the response and would wait for the
    // missing bytes.
    if (left > 0) throw new Error('the object became shorter');
  }
}

function slicePart(part: CleanPart, start: number, end: number): CleanPart {
  if (!('base64' in part)) return { start: part.start + start, end: part.start + end };
  return { base64: Buffer.from(part.base64, 'base64').subarray(start, end).toString('base64') };
}

function partSize(part: CleanPart): number {
  return 'base64' in part ? Buffer.byteLength(part.base64, 'base64') : part.end - part.start;
}
