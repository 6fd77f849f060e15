/** Tests the ZIP reader alone: archives of many programs, archives that lie, and the bytes that reading needs. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { openZip } from '../../../server/platform/zip/reader/archive.ts';
import type { ZipSource } from '../../../server/platform/zip/reader/source.ts';
import { createZip } from '../../../server/platform/zip/zip.ts';
import { createHostileZip, type HostileEntry } from '../../support/hostile-zip.ts';

const decodeLatin = (names: Uint8Array[]) => names.map((name) => Buffer.from(name).toString('latin1'));

/** A source that counts the bytes of each read. */
function createSource(bytes: Buffer): ZipSource & { reads: number[] } {
  const reads: number[] = [];
  return {
    size: bytes.length,
    reads,
    async read(offset, length) {
      assert.ok(offset >= 0 && offset + length <= bytes.length, `reads ${length} bytes at ${offset}`);
      reads.push(length);
      return new Uint8Array(bytes.subarray(offset, offset + length));
    },
  };
}

const openBytes = (bytes: Buffer) => openZip(createSource(bytes), decodeLatin);

async function unpackAll(bytes: Buffer): Promise<[string, string][]> {
  const zip = await openBytes(bytes);
  const files = zip.entries.filter(({ kind }) => kind === 'file');
  return Promise.all(
    files.map(async (entry) => [entry.path, await new Response(zip.open(entry)).text()] as [string, string]),
  );
}

test('reads what our own writer streams, with sizes after the bytes', async () => {
  async function* list() {
    const modified = new Date('2021-05-06T07:08:10Z');
    yield { path: 'Trip/', modified };
    for (const name of ['one', 'two'])
      yield { path: `Trip/${name}.jpg`, modified, bytes: Readable.from([Buffer.from(name)]) };
  }
  const bytes = await buffer(createZip(list()));
  assert.deepEqual(await unpackAll(bytes), [
    ['Trip/one.jpg', 'one'],
    ['Trip/two.jpg', 'two'],
  ]);
  const { entries } = await openBytes(bytes);
  assert.deepEqual(
    entries.map(({ kind, modified }) => [kind, modified]),
    [
      ['folder', 1620284890],
      ['file', 1620284890],
      ['file', 1620284890],
    ],
  );
});

const names: [string, string, string][] = [
  ['backslashes of Windows', 'Trip\\Day 1\\a.jpg', 'Trip/Day 1/a.jpg'],
  ['both separators', 'Trip\\Day 1/a.jpg', 'Trip/Day 1/a.jpg'],
  ['a leading dot', './a.jpg', 'a.jpg'],
  ['empty names', 'Trip//a.jpg', 'Trip/a.jpg'],
  ['names in UTF-8', '旅行/é.jpg', '旅行/é.jpg'],
  ['a name of two dots and more', 'a..b/...jpg', 'a..b/...jpg'],
  ['a colon', 'C: a/10:30.jpg', 'C: a/10:30.jpg'],
];
for (const [what, name, path] of names) {
  test(`reads a path with ${what}`, async () => {
    assert.deepEqual(await unpackAll(createHostileZip([{ name, content: 'x' }])), [[path, 'x']]);
  });
}

const leaving = [
  '../a.jpg',
  '..\\a.jpg',
  'a/../../b.jpg',
  'a\\..\\b.jpg',
  '/a.jpg',
  '\\a.jpg',
  'C:\\a.jpg',
  'c:/a',
];
for (const name of leaving) {
  test(`refuses an archive with the path ${name}`, async () => {
    await assert.rejects(
      openBytes(createHostileZip([{ name, content: 'x' }])),
      /an? (?:absolute|relative) path/,
    );
  });
}

/** Writes another byte pattern over each occurrence of a name. */
function rename(zip: Buffer, name: string, as: string): Buffer {
  return Buffer.from(zip.toString('latin1').replaceAll(name, as), 'latin1');
}

test('hands names that are not UTF-8 to one decoder, all together, before separators are read', async () => {
  const zip = createHostileZip([
    { name: 'AAA.jpg', content: '1' },
    { name: 'plain.jpg', content: '2' },
    { name: 'BBBB.jpg', content: '3' },
  ]);
  // The second byte of the Shift-JIS character 表 is a backslash.
  const bytes = rename(rename(zip, 'AAA', '\x95\x5cA'), 'BBBB', '\x93\xfa\x96\x7b');
  const given: Uint8Array[][] = [];
  const { entries } = await openZip(createSource(bytes), (some) => {
    given.push(some);
    return some.map((name) => new TextDecoder('shift-jis').decode(name));
  });
  assert.deepEqual(
    given.map((some) => some.map((name) => name.length)),
    [[7, 8]],
  );
  assert.deepEqual(
    entries.map(({ path }) => path),
    ['表A.jpg', 'plain.jpg', '日本.jpg'],
  );
});

const kinds: [string, HostileEntry, string][] = [
  ['a folder of Unix', { name: 'a', mode: 0o040755 }, 'folder'],
  ['a folder of Windows', { name: 'a\\' }, 'folder'],
  ['a link', { name: 'a', mode: 0o120777, content: '/etc/passwd' }, 'link'],
  ['a device', { name: 'a', mode: 0o060600 }, 'special'],
  ['a file of Unix', { name: 'a', mode: 0o100644 }, 'file'],
];
for (const [what, entry, kind] of kinds) {
  test(`recognizes ${what}`, async () => {
    const { entries } = await openBytes(createHostileZip([entry]));
    assert.equal(entries[0]!.kind, kind);
  });
}

const large = randomBytes(700_000);
const broken: [string, HostileEntry, RegExp][] = [
  [
    'more bytes than the list says',
    { name: 'a', content: large, isDeflated: true, size: 10 },
    /too many bytes/,
  ],
  [
    'fewer bytes than the list says',
    { name: 'a', content: large, isDeflated: true, size: 1e6 },
    /not enough bytes/,
  ],
  ['another checksum', { name: 'a', content: large, crc: 1 }, /its checksum is wrong/],
  ['a password', { name: 'a', content: large, isDeflated: true, isEncrypted: true }, /encrypted/],
  [
    'a thousand times its bytes',
    { name: 'a', content: Buffer.alloc(9e6), isDeflated: true, size: 9 },
    /too many/,
  ],
];
for (const [what, entry, reason] of broken) {
  test(`refuses one file with ${what}, and unpacks the next`, async () => {
    const { entries, open } = await openBytes(createHostileZip([entry, { name: 'b', content: 'good' }]));
    await assert.rejects(new Response(open(entries[0]!)).arrayBuffer(), {
      name: 'BadZipEntry',
      message: reason,
    });
    assert.equal(await new Response(open(entries[1]!)).text(), 'good');
  });
}

test('refuses one file whose place is another than the list says', async () => {
  const zip = createHostileZip([
    { name: 'a', content: 'one' },
    { name: 'b', content: 'two' },
  ]);
  for (const offset of [3, zip.length, 0xffff_fff0]) {
    const changed = Buffer.from(zip);
    changed.writeUInt32LE(offset, changed.lastIndexOf('PK\x01\x02') + 42);
    const { entries, open } = await openBytes(changed);
    await assert.rejects(new Response(open(entries[1]!)).text(), /place/);
    assert.equal(await new Response(open(entries[0]!)).text(), 'one');
  }
});

test('refuses one file of a compression that it does not know', async () => {
  const zip = createHostileZip([{ name: 'a', content: 'one', isDeflated: true }]);
  zip.writeUInt16LE(14, zip.lastIndexOf('PK\x01\x02') + 10);
  const { entries, open } = await openBytes(zip);
  await assert.rejects(new Response(open(entries[0]!)).text(), /compression method 14 is not supported/);
});

test('finds the list behind a comment that contains the mark of a list', async () => {
  const zip = createHostileZip([{ name: 'a', content: 'one' }]);
  const comment = Buffer.from(`PK\x05\x06${'x'.repeat(300)}`);
  zip.writeUInt16LE(comment.length, zip.length - 2);
  assert.deepEqual(await unpackAll(Buffer.concat([zip, comment])), [['a', 'one']]);
});

test('refuses an archive that was cut off at any place', async () => {
  const zip = createHostileZip([{ name: 'a', content: 'one' }]);
  for (let length = 0; length < zip.length; length++) {
    await assert.rejects(openBytes(zip.subarray(0, length)), { name: 'BadZip' });
  }
});

test('ends with an error of its own for every damaged byte of the list', async () => {
  const zip = createHostileZip([
    { name: 'a/b.jpg', content: 'one', isDeflated: true },
    { name: 'c.jpg', content: 'two' },
  ]);
  for (let at = zip.indexOf('PK\x01\x02'); at < zip.length; at++) {
    for (const value of [0, 1, 0x7f, 0xff]) {
      const changed = Buffer.from(zip);
      changed[at] = value;
      await unpackAll(changed).catch((error: Error) =>
        assert.match(error.name, /^BadZip(?:Entry)?$/, String(error.stack)),
      );
    }
  }
});

test('passes on an error of the disk, for stored and for compressed files', async () => {
  for (const isDeflated of [false, true]) {
    const source = createSource(createHostileZip([{ name: 'a', content: large, isDeflated }]));
    const { entries, open } = await openZip(source, decodeLatin);
    const { read } = source;
    source.read = (offset, length) =>
      length > 1000
        ? Promise.reject(Object.assign(new Error('bad disk'), { code: 'EIO' }))
        : read(offset, length);
    await assert.rejects(new Response(open(entries[0]!)).arrayBuffer(), { code: 'EIO' });
  }
});

test('reads a large file in pieces, and only as fast as its reader', async () => {
  const content = randomBytes(6_000_000);
  for (const isDeflated of [false, true]) {
    const source = createSource(createHostileZip([{ name: 'a', content, isDeflated }]));
    const { entries, open } = await openZip(source, decodeLatin);
    source.reads.length = 0;
    const reader = open(entries[0]!).getReader();
    await reader.read();
    const sum = () => source.reads.reduce((all, each) => all + each, 0);
    assert.ok(sum() < 2_000_000, `${sum()} bytes are read for the first piece`);
    await reader.cancel();
    assert.ok(Math.max(...source.reads) <= 1024 * 1024);
    assert.ok(sum() < 2_000_000, `${sum()} bytes are read after the reader has left`);
  }
});

test('holds a list in less than 500 bytes for each file', async () => {
  const count = 50_000;
  async function* list() {
    const modified = new Date('2021-05-06T07:08:10Z');
    for (let n = 0; n < count; n++) yield { path: `Takeout/Google Photos/Photos from 2019/${n}/`, modified };
  }
  const chunks = await Array.fromAsync(createZip(list()) as AsyncIterable<Buffer>);
  const source = createSource(Buffer.concat(chunks));
  const before = process.memoryUsage();
  const { entries } = await openZip(source, decodeLatin);
  const after = process.memoryUsage();
  assert.equal(entries.length, count);
  const held = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  assert.ok(held / count < 500, `${held / count} bytes`);
});
