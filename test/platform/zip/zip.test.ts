/** Tests the zip writer alone: how much memory it uses, and how it ends after an error. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createZip, type ZipEntry } from '../../../server/platform/zip/zip.ts';
import { unzip } from '../../support/zip.ts';

const modified = new Date('2021-05-06T07:08:10Z');

function entry(path: string, content: Buffer, size?: number): ZipEntry {
  return { path, modified, bytes: Readable.from([content], { objectMode: false }), size };
}

describe('an archive under way', () => {
  test('keeps the line of each photo in the list at the end, and none of its bytes', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const content = Buffer.alloc(10_000);
    const held: number[] = [];
    async function* entries() {
      for (let n = 1; n <= 6000; n++) {
        yield entry(`a photo with a title ${n}.jpg`, content);
        if (n % 3000 !== 0) continue;
        collect();
        const { heapUsed, external } = process.memoryUsage();
        held.push(heapUsed + external);
      }
    }
    let sent = 0;
    for await (const chunk of createZip(entries())) sent += chunk.length;
    assert.ok(sent > 60_000_000);
    assert.ok((held[1]! - held[0]!) / 3000 < 500, `${(held[1]! - held[0]!) / 3000} bytes a photo`);
  });

  test('asks for no photo before the one before it was read', async () => {
    let open = 0;
    async function* entries() {
      for (let n = 0; n < 50; n++) {
        assert.equal(open, 0);
        open++;
        const one = entry(`${n}.jpg`, Buffer.alloc(100_000, n));
        one.bytes.once('close', () => open--);
        yield one;
      }
    }
    assert.equal((await unzip(await buffer(createZip(entries())))).files.size, 50);
  });

  test('takes times that the format has no room for', async () => {
    async function* entries() {
      for (const year of [1890, 1969, 1980, 2100, 2200]) {
        yield { ...entry(`${year}.jpg`, Buffer.from('x')), modified: new Date(Date.UTC(year, 5, 1)) };
      }
    }
    assert.equal((await unzip(await buffer(createZip(entries())))).files.size, 5);
  });

  test('closes its files and ends at once when its reader leaves while the storage gives no byte', async () => {
    const silent = new Readable({ read() {} });
    const closed = once(silent, 'close');
    const left = Promise.withResolvers<void>();
    async function* entries() {
      try {
        yield { ...entry('a.jpg', Buffer.alloc(0)), bytes: silent };
      } finally {
        left.resolve();
      }
    }
    const zip = createZip(entries());
    await once(zip, 'data');
    zip.destroy();
    await once(zip, 'close');
    await Promise.all([closed, left.promise]);
  });

  test('closes a photo that is being opened when its reader leaves', async () => {
    const opening = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<Readable>();
    async function* entries() {
      opening.resolve();
      yield { ...entry('a.jpg', Buffer.alloc(0)), bytes: await opened.promise };
    }
    const zip = createZip(entries()).resume();
    await opening.promise;
    zip.destroy();
    await once(zip, 'close');
    const late = new Readable({ read() {} });
    const closed = once(late, 'close');
    opened.resolve(late);
    await closed;
  });

  for (const [what, wrong] of [
    ['is shorter than it should be', () => entry('b.jpg', Buffer.alloc(9), 10)],
    ['is longer than it should be', () => entry('b.jpg', Buffer.alloc(11), 10)],
    ['fails', () => ({ ...entry('b.jpg', Buffer.alloc(9)), bytes: failing() })],
    ['cannot be opened', () => assert.fail('lost')],
  ] as [string, () => ZipEntry][]) {
    test(`ends badly when a file ${what}`, async () => {
      async function* entries() {
        yield entry('a.jpg', Buffer.alloc(10), 10);
        yield wrong();
        yield entry('c.jpg', Buffer.alloc(10), 10);
      }
      await assert.rejects(buffer(createZip(entries())));
    });
  }

  function failing(): Readable {
    async function* chunks() {
      yield Buffer.alloc(5);
      throw new Error('the disk is gone');
    }
    return Readable.from(chunks(), { objectMode: false });
  }
});
