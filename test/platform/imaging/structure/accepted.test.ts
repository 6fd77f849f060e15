/**
 * The structure reader agrees with the decoder on valid pictures, and stays within limits on damaged
 * pictures.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { Sharp } from 'sharp';
import { ImageError } from '../../../../server/platform/imaging/errors.ts';
import { readPictureStructure } from '../../../../server/platform/imaging/structure/read.ts';
import type { PictureStructure } from '../../../../server/platform/imaging/structure/structure.ts';
import { sharp } from '../../../../server/platform/imaging/worker/sharp.ts';
import { createRandom, type Random } from '../../../support/random.ts';
import { testSeed } from '../../../support/seed.ts';
import { readThreadMs } from '../../../support/thread-time.ts';
import { corpus, corpusFile, withoutCorpus } from '../corpus.ts';
import { createAnimation, createFolder, createQuarters } from '../pictures.ts';

const write = createFolder();
const exif = {
  IFD0: { Make: 'Acme', Model: 'One' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
};
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${' '.repeat(5_000)}</x:xmpmeta>`;

const opaque = () => createQuarters(60, 40).removeAlpha();
const described = (image: Sharp) => image.withExif(exif).withXmp(xmp).withIccProfile('p3');
const deep = () => createQuarters(60, 40).toColourspace('rgb16');

const PICTURES: [name: string, data: () => Promise<Buffer>, expected: Partial<PictureStructure>][] = [
  ['jpeg 4:2:0', () => described(opaque()).jpeg().toBuffer(), { sampleBytes: 1.5, isProgressive: false }],
  ['jpeg 4:4:4', () => opaque().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(), { sampleBytes: 3 }],
  ['grey jpeg', () => opaque().toColourspace('b-w').jpeg().toBuffer(), { sampleBytes: 1 }],
  ['progressive jpeg', () => opaque().jpeg({ progressive: true }).toBuffer(), { isProgressive: true }],
  ['png', () => described(opaque()).png().toBuffer(), { sampleBytes: 3, hasAlpha: false }],
  ['png of 16 bits', () => deep().png().toBuffer(), { sampleBytes: 8, hasAlpha: true }],
  [
    'png of a palette',
    () => createQuarters(60, 40).png({ palette: true, colours: 4 }).toBuffer(),
    { sampleBytes: 0.25 },
  ],
  ['interlaced png', () => opaque().png({ progressive: true }).toBuffer(), { isProgressive: true }],
  ['lossy webp', () => described(opaque()).webp().toBuffer(), { sampleBytes: 1.5, hasAlpha: false }],
  [
    'webp',
    () => described(createQuarters(60, 40).ensureAlpha(0.5)).webp({ lossless: true }).toBuffer(),
    { sampleBytes: 4 },
  ],
  ['transparent webp', () => opaque().ensureAlpha(0.5).webp().toBuffer(), { hasAlpha: true }],
  ['animated webp', () => createAnimation('webp', 60, 40, 3), { frames: 3, sampleBytes: 4 }],
  ['gif', () => createAnimation('gif', 60, 40, 4), { frames: 4, sampleBytes: 1 }],
  ['tiff', () => described(opaque()).tiff().toBuffer(), { sampleBytes: 3, decodedPixels: 2_400 }],
  [
    'tiff of 16 bits',
    () => deep().tiff({ compression: 'lzw' }).toBuffer(),
    { sampleBytes: 8, hasAlpha: true },
  ],
  [
    'tiff in tiles',
    () => opaque().tiff({ tile: true, tileWidth: 32, tileHeight: 32 }).toBuffer(),
    { decodedPixels: 4_096 },
  ],
  [
    'avif',
    () => described(opaque()).avif({ effort: 0 }).toBuffer(),
    { sampleBytes: 3, decodedPixels: 2_400 },
  ],
  [
    'transparent avif',
    () => opaque().ensureAlpha(0.5).avif({ effort: 0 }).toBuffer(),
    { sampleBytes: 4, decodedPixels: 4_800 },
  ],
  ['avif of 10 bits', () => opaque().avif({ effort: 0, bitdepth: 10 }).toBuffer(), { sampleBytes: 6 }],
];

suite('the structure of a picture', () => {
  for (const [name, data, expected] of PICTURES) {
    test(`says what the decoder says of ${name}`, async () => {
      const file = write('picture', await data());
      const structure = await readPictureStructure(file);
      assert.partialDeepStrictEqual(structure, { width: 60, height: 40, frames: 1, ...expected });
      await assertAgreement(file, structure);
    });
  }

  test('says what the decoder says of every photo', { skip: withoutCorpus }, async () => {
    const photos = corpus.filter(({ kind }) => kind === 'photo');
    assert.ok(photos.length > 90);
    for (const { file } of photos) await assertAgreement(file, await readPictureStructure(file));
  });

  test('knows the screens that a GIF says only by habit', async () => {
    const gif = await createAnimation('gif', 60, 40, 2);
    for (const [width, height] of [
      [640, 480],
      [3_000, 3_000],
      [0, 9],
      [70, 30],
    ] as const) {
      gif.writeUInt16LE(width, 6);
      gif.writeUInt16LE(height, 8);
      const file = write('screen.gif', gif);
      await assertAgreement(file, await readPictureStructure(file));
    }
  });

  test('is there for the start of a photo that is cut', async () => {
    const noise = sharp({
      create: {
        width: 900,
        height: 600,
        channels: 3,
        background: 'grey',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    });
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const whole = await noise.clone().toFormat(format).toBuffer();
      const structure = await readPictureStructure(write('cut', whole.subarray(0, 20_000)));
      assert.partialDeepStrictEqual(structure, { format, width: 900, height: 600 });
    }
  });
});

suite('a damaged file', () => {
  const SEEDS = 30;
  for (const [name, data] of PICTURES) {
    test(`throws ImageError or nothing, at once: ${name}`, async () => {
      const random = createRandom(testSeed);
      const original = await data();
      for (let round = 0; round < SEEDS; round++) await assertBounded(mutate(original, random));
    });
  }

  test('throws ImageError or nothing, at once: HEIC', { skip: withoutCorpus }, async () => {
    const random = createRandom(testSeed);
    const heic = readFileSync(corpusFile('photos/formats/iphone_13_pro_max_o6.heic')).subarray(0, 100_000);
    // Changes only the first 4,000 bytes, which contain the tables of the file.
    for (let round = 0; round < SEEDS; round++) await assertBounded(mutate(heic, random, 4_000));
  });
});

async function assertAgreement(file: string, structure: PictureStructure): Promise<void> {
  const metadata = await sharp(file).metadata();
  const isTurned = structure.width === metadata.height && structure.height === metadata.width;
  const isHeif = structure.format === 'avif' || structure.format === 'heic';
  if (!(isHeif && isTurned))
    assert.deepEqual([structure.width, structure.height], [metadata.width, metadata.height], file);
  assert.equal(structure.frames, structure.format === 'tiff' ? 1 : (metadata.pages ?? 1), file);
  assert.equal(structure.hasAlpha, metadata.hasAlpha, file);
  if (structure.format === 'jpeg' || structure.format === 'png')
    assert.equal(structure.isProgressive, metadata.isProgressive === true, file);
}

/** Changes up to eight bytes among the first `reach` bytes, or truncates the file. */
function mutate(original: Buffer, random: Random, reach = original.length): Buffer {
  const copy = Buffer.from(original);
  for (let count = 1 + random.below(8); count > 0; count--)
    copy[random.below(reach)] = random.chance(0.3) ? 255 : random.below(256);
  return random.chance(0.1) ? copy.subarray(0, random.below(reach)) : copy;
}

async function assertBounded(bytes: Buffer): Promise<void> {
  const file = write('mutated', bytes);
  const start = readThreadMs();
  await readPictureStructure(file).catch((error: unknown) => {
    assert.ok(error instanceof ImageError, String((error as Error).stack));
  });
  assert.ok(readThreadMs() - start < 300);
}
