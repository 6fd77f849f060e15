/** Compares the megapixels that the page reads from the start of a file with those of the picture. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { readMegapixels } from '../../web/upload/picture-size.ts';

const create = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#456' } });
const readSize = (bytes: Buffer) => readMegapixels(new Blob([new Uint8Array(bytes)]));

test('reads the megapixels of JPEG and PNG files', async () => {
  const plain = await create(300, 200).jpeg().toBuffer();
  const progressive = await create(300, 200).jpeg({ progressive: true }).toBuffer();
  const described = await create(300, 200)
    .withExif({ IFD0: { ImageDescription: 'x'.repeat(30_000) } })
    .jpeg()
    .toBuffer();
  const png = await create(300, 200).png().toBuffer();
  for (const bytes of [plain, progressive, described, png]) assert.equal(await readSize(bytes), 0.06);
});

test('says nothing about other files, and about files that are cut off', async () => {
  const webp = await create(300, 200).webp().toBuffer();
  const jpeg = await create(300, 200).jpeg().toBuffer();
  const endless = Buffer.concat([jpeg.subarray(0, 2), Buffer.from('ffe00000'.repeat(20), 'hex')]);
  for (const bytes of [webp, jpeg.subarray(0, 30), Buffer.alloc(0), endless])
    assert.equal(await readSize(bytes), undefined);
});
