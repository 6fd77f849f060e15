/**
 * Creates a ZIP while it is sent: one object open at a time, as fast as the client reads. Existing libraries hold an
 * object per file until the end, and one of them scans all files for each. This module needs about a hundred bytes per
 * photo, for the directory at the end.
 */
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { chunkStream } from '../storage/chunk-stream.ts';
import {
  createZipCentralRecord,
  createZipDataDescriptor,
  createZipEndRecords,
  createZipLocalHeader,
  type ZipRecord,
} from './records.ts';

export interface ZipFolder {
  /** Path in the archive, with `/` between folders. A folder's own path ends with `/`. */
  path: string;
  modified: Date;
}

export interface ZipEntry extends ZipFolder {
  bytes: Readable;
  /** Expected size in bytes, if known. Any other size ends the archive with an error. */
  size?: number | undefined;
}

/** Maximum bytes of a file. A larger file needs other records before it, but no image is that large. */
const largestFile = 0xffff_fffe;
const listBlock = 64 * 1024;

/**
 * Returns the archive of `entries` as a stream. The next entry is requested after the previous one was read. Images do
 * not shrink, so they are not compressed. Any error destroys the stream, so a ZIP that ends normally is complete.
 * Destroying the stream closes the current entry at once, without waiting for a blocked storage.
 */
export function createZip(entries: AsyncIterable<ZipEntry | ZipFolder>): Readable {
  let current: Readable | undefined;
  const begin = (entry: ZipEntry | ZipFolder) => {
    current = 'bytes' in entry ? entry.bytes : undefined;
    // The reader has left while the entry was being opened.
    if (zip.destroyed) current?.destroy();
  };
  const zip = chunkStream(zipChunks(entries, begin), {
    onDestroy: () => current?.destroy(),
    highWaterMark: listBlock,
  });
  return zip;
}

async function* zipChunks(
  entries: AsyncIterable<ZipEntry | ZipFolder>,
  begin: (entry: ZipEntry | ZipFolder) => void,
): AsyncGenerator<Buffer> {
  const list = createList();
  let offset = 0;
  for await (const entry of entries) {
    begin(entry);
    const record = { ...createRecord(entry), offset };
    for await (const chunk of entryChunks(entry, record)) {
      offset += chunk.length;
      yield chunk;
    }
    list.add(record);
  }
  yield* list.blocks();
  yield createZipEndRecords(list.count(), list.size(), offset);
}

function createRecord(entry: ZipEntry | ZipFolder): ZipRecord {
  const { path, modified } = entry;
  return { name: Buffer.from(path), modified, isFolder: !('bytes' in entry), offset: 0, size: 0, crc: 0 };
}

/** Yields header, bytes and sizes of one entry. Fills in size and CRC of the record for the directory. */
async function* entryChunks(entry: ZipEntry | ZipFolder, record: ZipRecord): AsyncGenerator<Buffer> {
  if (!('bytes' in entry)) {
    yield createZipLocalHeader(record);
    return;
  }
  // `for await` closes the stream only if its iteration has begun, so `finally` covers the earlier case.
  try {
    yield createZipLocalHeader(record);
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
  yield createZipDataDescriptor(record);
}

/** Creates the central directory in large blocks. One buffer per photo would cost more than its content. */
function createList() {
  const full: Buffer[] = [];
  let block = Buffer.alloc(listBlock);
  let used = 0;
  let count = 0;
  let size = 0;

  return {
    add(record: ZipRecord): void {
      const bytes = createZipCentralRecord(record);
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
