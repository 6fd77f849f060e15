/**
 * A ZIP that is made while it is sent: one object open at a time, as fast as the client reads. Written here because the
 * libraries keep an object for each file to the end, and one of them looks through all of them for each: kept are about
 * a hundred bytes a photo, the list that a ZIP ends with.
 */
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { chunkStream } from '../storage/chunk-stream.ts';
import { centralRecord, dataDescriptor, endRecords, localHeader, type ZipRecord } from './records.ts';

export interface ZipFolder {
  /** With `/` between folders, and at the end of a folder's own. */
  path: string;
  modified: Date;
}

export interface ZipEntry extends ZipFolder {
  bytes: Readable;
  /** How many `bytes` has, where that is known: fewer, or more, end the archive. */
  size?: number | undefined;
}

/** A larger file would need other records in front of it. No image is as large. */
const largestFile = 0xffff_fffe;
const listBlock = 64 * 1024;

/**
 * The archive of what `entries` yields, which is asked for the next one when the one before is read. Images do not
 * shrink, so nothing is compressed. Whatever goes wrong destroys the stream: a ZIP that ends well is complete. Destroying
 * it closes what is open, and ends it at once: it waits for no byte of a storage that gives none.
 */
export function zipOf(entries: AsyncIterable<ZipEntry | ZipFolder>): Readable {
  let current: Readable | undefined;
  const begin = (entry: ZipEntry | ZipFolder) => {
    current = 'bytes' in entry ? entry.bytes : undefined;
    // Whoever reads went away while it was opened.
    if (zip.destroyed) current?.destroy();
  };
  const zip = chunkStream(chunksOf(entries, begin), {
    onDestroy: () => current?.destroy(),
    highWaterMark: listBlock,
  });
  return zip;
}

async function* chunksOf(
  entries: AsyncIterable<ZipEntry | ZipFolder>,
  begin: (entry: ZipEntry | ZipFolder) => void,
): AsyncGenerator<Buffer> {
  const list = createList();
  let offset = 0;
  for await (const entry of entries) {
    begin(entry);
    const record = { ...recordOf(entry), offset };
    for await (const chunk of partsOf(entry, record)) {
      offset += chunk.length;
      yield chunk;
    }
    list.add(record);
  }
  yield* list.blocks();
  yield endRecords(list.count(), list.size(), offset);
}

function recordOf(entry: ZipEntry | ZipFolder): ZipRecord {
  const { path, modified } = entry;
  return { name: Buffer.from(path), modified, isFolder: !('bytes' in entry), offset: 0, size: 0, crc: 0 };
}

/** Header, bytes and sizes of one entry; fills in what the list says of it. */
async function* partsOf(entry: ZipEntry | ZipFolder, record: ZipRecord): AsyncGenerator<Buffer> {
  if (!('bytes' in entry)) {
    yield localHeader(record);
    return;
  }
  // `for await` closes the stream however it is left, but only once it was begun.
  try {
    yield localHeader(record);
    for await (const chunk of entry.bytes as AsyncIterable<Buffer>) {
      record.size += chunk.length;
      record.crc = crc32(chunk, record.crc);
      if (record.size > (entry.size ?? largestFile)) throw new Error('an object is longer than its row says');
      yield chunk;
    }
  } finally {
    entry.bytes.destroy();
  }
  if (entry.size !== undefined && record.size < entry.size)
    throw new Error('an object is shorter than its row says');
  yield dataDescriptor(record);
}

/** The list at the end, in blocks: a buffer for each photo would cost more than what is in it. */
function createList() {
  const full: Buffer[] = [];
  let block = Buffer.alloc(listBlock);
  let used = 0;
  let count = 0;
  let size = 0;

  return {
    add(record: ZipRecord): void {
      const bytes = centralRecord(record);
      if (used + bytes.length > listBlock) {
        full.push(block.subarray(0, used));
        block = Buffer.alloc(listBlock);
        used = 0;
      }
      used += bytes.copy(block, used);
      size += bytes.length;
      count++;
    },
    blocks: () => [...full, block.subarray(0, used)].filter((each) => each.length > 0),
    count: () => count,
    size: () => size,
  };
}
