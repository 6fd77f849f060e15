/** Tests archives too large for the original zip format, read back by an independent program. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import {
  type Entry,
  fromBuffer,
  fromRandomAccessReader,
  type Options,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { createZip } from '../../../server/platform/zip/zip.ts';

const modified = new Date('2021-05-06T07:08:10Z');
const lazy: Options = { lazyEntries: true, autoClose: false };
const block = Buffer.alloc(64 * 1024 * 1024);

describe('large archives', () => {
  test('hold more files than 16 bits count', async () => {
    const count = 66_000;
    async function* entries() {
      for (let n = 0; n < count; n++) yield { path: `${n}/`, modified };
      yield { path: 'last.jpg', modified, bytes: Readable.from([Buffer.from('the last')]) };
    }
    const { names, last } = await readLast(await openBuffer(await buffer(createZip(entries())), lazy));
    assert.equal(names.length, count + 1);
    assert.equal(last, 'the last');
  });

  test('hold more bytes than 32 bits count', async () => {
    const blocks = 66;
    async function* entries() {
      for (let n = 0; n < blocks; n++) {
        yield { path: `${n}.jpg`, modified, bytes: Readable.from([block]), size: block.length };
      }
      yield { path: 'last/', modified };
      yield { path: 'last/last.jpg', modified, bytes: Readable.from([Buffer.from('the last')]) };
    }
    const reader = new SparseReader();
    for await (const chunk of createZip(entries())) reader.keep(chunk);
    assert.ok(reader.size > 2 ** 32);
    const { names, last } = await readLast(await openSparse(reader, reader.size, lazy));
    assert.equal(names.length, blocks + 2);
    assert.equal(last, 'the last');
  });
});

/** Reads an archive and leaves out its blocks of zeros, so that four gigabytes need little memory. */
class SparseReader extends RandomAccessReader {
  size = 0;
  readonly #kept: { at: number; bytes: Buffer }[] = [];

  keep(chunk: Buffer): void {
    if (chunk.buffer !== block.buffer) this.#kept.push({ at: this.size, bytes: Buffer.from(chunk) });
    this.size += chunk.length;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const range = Buffer.alloc(end - start);
    for (const { at, bytes } of this.#kept) {
      if (at < end && at + bytes.length > start) {
        bytes.copy(range, Math.max(at - start, 0), Math.max(start - at, 0));
      }
    }
    return Readable.from([range]);
  }
}

const openBuffer = promisify<Buffer, Options, ZipFile>(fromBuffer);
const openSparse = promisify<RandomAccessReader, number, Options, ZipFile>(fromRandomAccessReader);

/** Returns the names of all entries, and the contents of the last entry. */
async function readLast(zip: ZipFile): Promise<{ names: string[]; last: string }> {
  const entries: Entry[] = [];
  zip.on('entry', (entry: Entry) => {
    entries.push(entry);
    zip.readEntry();
  });
  zip.readEntry();
  await once(zip, 'end');
  const stream = await promisify<Entry, Readable>(zip.openReadStream.bind(zip))(entries.at(-1)!);
  return { names: entries.map(({ fileName }) => fileName), last: (await buffer(stream)).toString() };
}
