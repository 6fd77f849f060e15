import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { selectCleanPartsInRange, streamCleanParts } from '../../../server/gallery/delivery/clean-copy.ts';
import { parseRange } from '../../../server/gallery/delivery/ranges.ts';
import { type CleanPart, countCleanCopyBytes } from '../../../server/platform/imaging/clean/clean.ts';
import { createObjectKey, objectName } from '../../../server/platform/storage/keys.ts';
import { makeStorage } from '../../platform/storage/cases.ts';
import { countDescriptors, eventually } from '../../support/gallery-counts.ts';

test('reads Range headers as RFC 9110 says', () => {
  const whole = undefined;
  const cases: [string | undefined, ReturnType<typeof parseRange>][] = [
    [undefined, whole],
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=0-', { start: 0, end: 10 }],
    ['Bytes=2-5', { start: 2, end: 6 }],
    ['bytes=5-999', { start: 5, end: 10 }],
    ['bytes=-3', { start: 7, end: 10 }],
    ['bytes=-999', { start: 0, end: 10 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=999-1000', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', whole],
    ['bytes=-', whole],
    ['bytes=', whole],
    ['bytes=a-b', whole],
    ['bytes=0-1,3-4', whole],
    ['bytes=0x1-2', whole],
    ['bytes=1.5-2', whole],
    ['bytes=99999999999999999999-', whole],
    ['items=0-1', whole],
  ];
  for (const [header, expected] of cases) assert.deepEqual(parseRange(header, 10), expected, String(header));
});

test('every range of a clean copy is the same as that range of the whole', async (context) => {
  const { storage } = await makeStorage(context);
  const name = objectName(createObjectKey(), 'original', 'jpg');
  const original = Buffer.from('abcdefghijklmnopqrstuvwxyz');
  await storage.put([{ name, source: original }]);
  const parts: CleanPart[] = [
    { start: 2, end: 5 },
    { base64: Buffer.from('0123').toString('base64') },
    { start: 10, end: 11 },
    { base64: Buffer.from('!').toString('base64') },
    { start: 20, end: 26 },
  ];
  const clean = 'cde0123k!uvwxyz';
  assert.equal(countCleanCopyBytes(parts), clean.length);
  for (let start = 0; start <= clean.length; start++) {
    for (let end = start; end <= clean.length; end++) {
      const stream = await streamCleanParts(storage, name, selectCleanPartsInRange(parts, { start, end }));
      assert.equal((await buffer(stream!)).toString(), clean.slice(start, end), `${start}-${end}`);
    }
  }
});

test('a clean copy whose original is missing is undefined, and one that is not read leaves nothing open', async (context) => {
  const { storage } = await makeStorage(context);
  const [name, missing] = [
    objectName(createObjectKey(), 'original', 'jpg'),
    objectName(createObjectKey(), 'original', 'jpg'),
  ];
  await storage.put([{ name, source: Buffer.alloc(1000) }]);
  const parts: CleanPart[] = [{ base64: 'AAAA' }, { start: 0, end: 500 }, { start: 600, end: 900 }];
  assert.equal(await streamCleanParts(storage, missing, parts), undefined);
  const openFiles = async () => (await countDescriptors()) ?? 0;
  const before = await openFiles();
  for (let round = 0; round < 20; round++) (await streamCleanParts(storage, name, parts))!.destroy();
  await eventually(async () => assert.ok((await openFiles()) <= before));
});
