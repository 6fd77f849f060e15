import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { crc32 } from 'node:zlib';
import ExifReader from 'exifreader';
import { computeCleanParts } from '../../../server/platform/imaging/clean/clean.ts';
import type { ImageFormat } from '../../../server/platform/imaging/formats.ts';
import { readPictureStructure } from '../../../server/platform/imaging/structure/read.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import { assemble, createCopies, decodePixels, withSegment } from './copies.ts';
import { corpus, withoutCorpus } from './corpus.ts';
import { createAnimation, createQuarters } from './pictures.ts';

const { write, findCleanParts, createCleanCopy } = createCopies();
const secret = {
  IFD0: { Make: 'Acme', Copyright: 'Secret' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
};
const xmpPacket = '<x:xmpmeta xmlns:x="adobe:ns:meta/">Secret</x:xmpmeta>';

suite('a clean copy', () => {
  const picture = () => createQuarters(120, 80).removeAlpha().withExif(secret).withXmp(xmpPacket);
  const comment = Buffer.from('21fe065365637265740021ff0b584d502044617461584d500653656372657400', 'hex');

  const PICTURES: [name: string, format: ImageFormat, data: () => Promise<Buffer>][] = [
    ['jpeg', 'jpeg', () => picture().jpeg().toBuffer()],
    ['progressive jpeg', 'jpeg', () => picture().jpeg({ progressive: true }).toBuffer()],
    [
      'jpeg with a comment',
      'jpeg',
      async () => withSegment(await picture().jpeg().toBuffer(), 0xfe, 'Secret'),
    ],
    [
      'jpeg with IPTC',
      'jpeg',
      async () => withSegment(await picture().jpeg().toBuffer(), 0xed, 'Photoshop 3.0\0Secret'),
    ],
    [
      'jpeg with a second picture',
      'jpeg',
      async () => withSegment(await picture().jpeg().toBuffer(), 0xe2, 'MPF\0Secret'),
    ],
    ['jpeg with a video behind', 'jpeg', async () => withTail(await picture().jpeg().toBuffer())],
    ['png', 'png', () => picture().png().toBuffer()],
    ['png with texts', 'png', async () => withChunks(await picture().png().toBuffer())],
    ['png with an archive behind', 'png', async () => withTail(await picture().png().toBuffer())],
    ['webp', 'webp', () => picture().webp().toBuffer()],
    ['webp without anything', 'webp', () => createQuarters(120, 80).removeAlpha().webp().toBuffer()],
    ['animated webp', 'webp', () => createAnimation('webp', 60, 40, 3)],
    ['webp with a tail', 'webp', async () => withTail(await picture().webp().toBuffer())],
    ['animated gif', 'gif', () => createAnimation('gif', 60, 40, 3)],
    [
      'gif with a comment and xmpPacket',
      'gif',
      async () => withBlocks(await createAnimation('gif', 60, 40, 3), comment),
    ],
    ['gif with a tail', 'gif', async () => withTail(await createAnimation('gif', 60, 40, 2))],
  ];

  for (const [name, format, data] of PICTURES) {
    test(`has the pixels of ${name} and nothing else`, async () => {
      const original = await data();
      const copy = await createCleanCopy(original, format, 1);
      assert.ok(
        !copy.includes('Secret') && !copy.includes('Acme') && !copy.includes('Exif'),
        'no metadata is left',
      );
      assert.deepEqual(await decodePixels(copy), await decodePixels(original));
      assert.deepEqual(await readAppearance(copy), await readAppearance(original));
    });
  }

  for (const format of ['jpeg', 'png', 'webp'] as const) {
    test(`stays turned for a turned ${format}, and contains no more metadata`, async () => {
      const original = await picture()
        .withMetadata({ orientation: 6 })
        .withExifMerge(secret)
        .toFormat(format)
        .toBuffer();
      const copy = await createCleanCopy(original, format, 6);
      assert.equal((await sharp(copy).metadata()).orientation, 6);
      assert.ok(!copy.includes('Secret') && !copy.includes('Acme'));
      assert.deepEqual(Object.keys(ExifReader.load(copy, { expanded: true }).exif ?? {}), ['Orientation']);
      assert.deepEqual(await decodePixels(copy), await decodePixels(original));
    });
  }

  test('keeps the colour profile', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const original = await createQuarters(60, 40)
        .removeAlpha()
        .withIccProfile('p3')
        .toFormat(format)
        .toBuffer();
      const { icc } = await sharp(original).metadata();
      assert.ok(icc && icc.length > 100);
      assert.deepEqual((await sharp(await createCleanCopy(original, format, 1)).metadata()).icc, icc, format);
    }
  });

  test('drops the thumbnail that JFIF may hold', async () => {
    const jpeg = await createQuarters(60, 40).removeAlpha().jpeg().toBuffer();
    const withJfif = (hex: string) =>
      Buffer.concat([jpeg.subarray(0, 2), Buffer.from(hex, 'hex'), jpeg.subarray(2)]);
    const onePixel = withJfif('ffe000134a46494600010200000100010101aabbcc');
    const none = withJfif('ffe000104a46494600010200000100010000');
    assert.deepEqual(await createCleanCopy(onePixel, 'jpeg', 1), none);
    assert.deepEqual(await createCleanCopy(none, 'jpeg', 1), none);
  });

  test('does not exist where the structure is odd or has no cleaner', async () => {
    const jpeg = await createQuarters(60, 40).removeAlpha().jpeg().toBuffer();
    const png = await createQuarters(60, 40).png().toBuffer();
    const cut = (data: Buffer, bytes: number) => data.subarray(0, data.length - bytes);
    assert.equal(await findCleanParts(cut(jpeg, 2), 'jpeg'), null);
    assert.equal(
      await findCleanParts(
        Buffer.concat([jpeg.subarray(0, 2), Buffer.from('odd'), jpeg.subarray(2)]),
        'jpeg',
      ),
      null,
    );
    assert.equal(await findCleanParts(cut(png, 1), 'png'), null);
    assert.equal(await findCleanParts(cut(await createQuarters(60, 40).webp().toBuffer(), 3), 'webp'), null);
    assert.equal(await findCleanParts(cut(await createAnimation('gif', 60, 40, 2), 1), 'gif'), null);
    assert.equal(await findCleanParts(await createQuarters(60, 40).tiff().toBuffer(), 'tiff'), null);
    const manyPieces = withBlocks(
      await createAnimation('gif', 60, 40, 2),
      Buffer.from('21fe01410021f90400000000002c00000000010001000002024401 00'.replaceAll(' ', ''), 'hex'),
      300,
    );
    assert.equal(await findCleanParts(manyPieces, 'gif'), null);
  });

  test('costs a few milliseconds for five megabytes', async () => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
    const picture = sharp({ create: { width: 2600, height: 2000, channels: 3, background: 'grey', noise } });
    const data = await picture.jpeg({ quality: 96 }).toBuffer();
    assert.ok(data.length > 5e6);
    const file = write('large.jpg', data);
    await computeCleanParts(file, 'jpeg', 1);
    const before = process.cpuUsage();
    for (let round = 0; round < 5; round++) await computeCleanParts(file, 'jpeg', 1);
    const { user, system } = process.cpuUsage(before);
    assert.ok((user + system) / 5000 < 60, `${(user + system) / 5000} ms`);
  });

  test('is made of every photo of the corpus', { skip: withoutCorpus }, async () => {
    for (const { file, path } of corpus.filter(({ kind }) => kind === 'photo')) {
      const { format } = await readPictureStructure(file);
      const { orientation = 1 } = await sharp(file).metadata();
      const parts = await computeCleanParts(file, format, orientation);
      if (['heic', 'avif', 'tiff'].includes(format)) {
        assert.equal(parts, null, path);
        continue;
      }
      const original = readFileSync(file);
      const copy = assemble(original, parts!);
      assert.deepEqual(await decodePixels(copy), await decodePixels(original), path);
      const { exif, iptc, xmp, gps, makerNotes, Thumbnail } = ExifReader.load(copy, {
        expanded: true,
        includeUnknown: true,
      });
      assert.deepEqual(Object.keys(exif ?? {}), orientation === 1 ? [] : ['Orientation'], path);
      assert.deepEqual([iptc, xmp, gps, makerNotes, Thumbnail], Array(5).fill(undefined), path);
    }
  });
});

async function readAppearance(data: Buffer): Promise<object> {
  const { format, width, height, pages, delay, loop, hasAlpha } = await sharp(data).metadata();
  return { format, width, height, pages, delay, loop, hasAlpha };
}

function withTail(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.from('PK\u0003\u0004 Secret'), data]);
}

/** Adds a text and an unknown chunk before the pixels of a PNG. */
function withChunks(png: Buffer): Buffer {
  const chunks = ['tEXtComment\0Secret', 'prVtSecret', 'tIMESecret!'].map((text) => {
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(text.length - 4);
    crc.writeUInt32BE(crc32(text));
    return Buffer.concat([length, Buffer.from(text), crc]);
  });
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

/** Inserts `blocks` after the global color table of a GIF, `times` times. */
function withBlocks(gif: Buffer, blocks: Buffer, times = 1): Buffer {
  const table = gif[10]! & 0x80 ? 3 * 2 ** ((gif[10]! & 7) + 1) : 0;
  return Buffer.concat([
    gif.subarray(0, 13 + table),
    ...Array<Buffer>(times).fill(blocks),
    gif.subarray(13 + table),
  ]);
}
