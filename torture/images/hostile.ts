/**
 * Pictures that need much memory or time: files of the corpus, known bombs, and variants that their recipes
 * create.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { corpus } from '../../test/platform/imaging/corpus.ts';
import {
  createAlphaProperty,
  createGridData,
  createHeifFile,
  createSizeProperty,
  encodeSquare,
  type HeifItem,
  type HeifReference,
} from '../../test/support/heif-file.ts';
import {
  createCompressedText,
  createCompressedXmp,
  createExifBlock,
  createExifSegment,
  createJpegWith,
  createPngChunk,
  createPngWith,
  createPointerLoopExif,
  createProfileSegment,
  createTaggedTiff,
  createWebpWith,
  type ExifEntry,
} from '../../test/support/hostile-metadata.ts';
import {
  createLargeJpeg,
  createLosslessWebp,
  createManyDirectoryTiff,
  createNoisyTiff,
  createPngInPieces,
  createSolid,
  createSolidAvif,
  createSolidTiff,
  createWidePng,
  hundredMegapixels,
} from '../../test/support/hostile-pictures.ts';
import type { Sent } from './use-gallery.ts';

const bombs = resolve(import.meta.dirname, '../../../shared/field/bombs');

export interface Hostile {
  corpus: Sent[];
  bombs: Sent[];
  relatives: Sent[];
}

/** Reads and creates all hostile pictures. Encoding a square of 16,384 pixels takes some seconds. */
export async function readHostile(folder = process.env.LIGHTWELL_BOMBS ?? bombs): Promise<Hostile> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.md')) : [];
  return {
    corpus: corpus
      .filter(({ kind }) => kind !== 'photo')
      .map(({ path, file }) => ({ bytes: readFileSync(file), what: path, kind: 'corpus' })),
    bombs: names.map((name) => ({ bytes: readFileSync(join(folder, name)), what: name, kind: 'bomb' })),
    relatives: await relatives(),
  };
}

type Named = [name: string, bytes: Promise<Buffer> | Buffer];

async function relatives(): Promise<Sent[]> {
  const all: Named[] = [...(await heifs()), ...carriedExif(), ...metadata(), ...large()];
  const sent: Sent[] = [];
  // One after the other, because several at once would take gigabytes.
  for (const [what, bytes] of all) sent.push({ bytes: await bytes, what, kind: 'relative' });
  return sent;
}

async function heifs(): Promise<Named[]> {
  const [small, medium] = [await encodeSquare(64), await encodeSquare(4_096)];
  const [big, huge] = [await encodeSquare(8_192), await encodeSquare(16_384)];
  const item = (square: typeof small, side: number, ...more: Buffer[]): HeifItem => ({
    type: 'av01',
    data: square.data,
    properties: [createSizeProperty(side), square.configuration, ...more],
  });
  const grid = (rows: number, columns: number, side: number): HeifItem => ({
    type: 'grid',
    data: createGridData(rows, columns, side),
    properties: [createSizeProperty(side)],
  });
  const tiles = (count: number): HeifReference[] => [
    { type: 'dimg', from: 1, to: Array<number>(count).fill(2) },
  ];
  const alpha: HeifReference[] = [{ type: 'auxl', from: 2, to: [1] }];
  return [
    ['grid of 64 with a tile of 8192', createHeifFile([grid(1, 1, 64), item(big, 8_192)], tiles(1))],
    ['grid of 64 with two tiles of 8192', createHeifFile([grid(1, 2, 64), item(big, 8_192)], tiles(2))],
    ['grid of 64 with a tile of 16384', createHeifFile([grid(1, 1, 64), item(huge, 16_384)], tiles(1))],
    ['grid of 64 with two tiles of 16384', createHeifFile([grid(1, 2, 64), item(huge, 16_384)], tiles(2))],
    ['grid that says its tile of 8192 is small', createHeifFile([grid(1, 1, 64), item(big, 64)], tiles(1))],
    [
      'grid of 16 by 16 times one tile',
      createHeifFile([grid(16, 16, 4_096), item(medium, 4_096)], tiles(256)),
    ],
    ['the same, shown whole', createHeifFile([grid(16, 16, 65_535), item(medium, 4_096)], tiles(256))],
    ['2 by 2 times a tile of 4096', createHeifFile([grid(2, 2, 8_192), item(medium, 4_096)], tiles(4))],
    ['alpha of 8192', createHeifFile([item(small, 64), item(big, 8_192, createAlphaProperty())], alpha)],
    [
      'alpha of 8192 that says 64',
      createHeifFile([item(small, 64), item(big, 64, createAlphaProperty())], alpha),
    ],
    ['alpha of 16384', createHeifFile([item(small, 64), item(huge, 16_384, createAlphaProperty())], alpha)],
    [
      '8192 with alpha of the same size',
      createHeifFile([item(big, 8_192), item(big, 8_192, createAlphaProperty())], alpha),
    ],
    ['8192 that says 64', createHeifFile([item(big, 64)])],
    ['8192', createHeifFile([item(big, 8_192)])],
  ];
}

/**
 * Returns EXIF directories that point to each other or themselves, in each container; a JPEG holds at most 64
 * KB of EXIF.
 */
function carriedExif(): Named[] {
  const itself = createExifBlock([[8, [[0x8769, 4, 1, 8]]]]);
  const text = (index: number): ExifEntry => [0x9000 + (index % 4_000), 2, 4, 0x41424344];
  const many = (count: number) =>
    createExifBlock([[8, Array.from({ length: count }, (_, index) => text(index))]]);
  const blocks: [string, Buffer][] = [
    ['to itself', itself],
    ['with 60 pointers twice', createPointerLoopExif(60)],
    ['with 2,600 pointers twice', createPointerLoopExif(2_600)],
    ['with 999 texts', many(999)],
    ['with 5,000 texts', many(5_000)],
    ['with 60,000 texts', many(60_000)],
  ];
  const carriers: [string, (block: Buffer) => Promise<Buffer>][] = [
    ['jpeg', (block) => createJpegWith(createExifSegment(block))],
    ['png', (block) => createPngWith(createPngChunk('eXIf', block))],
    ['webp', (block) => createWebpWith('EXIF', block)],
    ['avif', avifWithExif],
  ];
  return carriers.flatMap(([format, carry]) =>
    blocks
      .filter(([, block]) => format !== 'jpeg' || block.length < 65_000)
      .map(([name, block]): Named => [`exif ${name}, ${format}`, carry(block)]),
  );
}

async function avifWithExif(block: Buffer): Promise<Buffer> {
  const { data, configuration } = await encodeSquare(64);
  const exif = Buffer.concat([Buffer.alloc(4), block]);
  return createHeifFile(
    [
      { type: 'av01', data, properties: [createSizeProperty(64), configuration] },
      { type: 'Exif', data: exif },
    ],
    [{ type: 'cdsc', from: 2, to: [1] }],
  );
}

function metadata(): Named[] {
  const times = <Item>(count: number, item: Item) => Array<Item>(count).fill(item);
  const profile = (parts: number, bytes: number) =>
    Array.from({ length: parts }, (_, index) => createProfileSegment(index + 1, parts, Buffer.alloc(bytes)));
  return [
    ['zTXt, five of 50 MB', createPngWith(...times(5, createCompressedText(50_000_000)))],
    ['zTXt, 99 of 80 KB', createPngWith(...times(99, createCompressedText(80_000)))],
    ['zTXt, one of 7.9 MB', createPngWith(createCompressedText(7_900_000))],
    ['iTXt, xmp of 50 MB', createPngWith(createCompressedXmp(50_000_000))],
    ['iTXt, xmp of 7.9 MB', createPngWith(createCompressedXmp(7_900_000))],
    ['iTXt, xmp forty times', createPngWith(...times(40, createCompressedXmp(190_000)))],
    [
      'icc, 250 segments of one part',
      createJpegWith(...times(250, createProfileSegment(1, 1, Buffer.alloc(7_000)))),
    ],
    ['icc, 250 parts', createJpegWith(...profile(250, 7_000))],
    ['icc, 80 parts of 50 KB', createJpegWith(...profile(80, 50_000))],
    ['icc of 4 MB, webp', createWebpWith('ICCP', Buffer.alloc(4_000_000))],
    ['tiff, 250 unknown tags', createTaggedTiff(240)],
    ['tiff, 5,000 unknown tags', createTaggedTiff(5_000)],
    ['tiff, 20,000 unknown tags', createTaggedTiff(20_000)],
    ['tiff, 240 unknown tags in 100 pages', createTaggedTiff(240, 100)],
    ['tiff, 240 unknown tags in 1,500 pages', createTaggedTiff(240, 1_500)],
    ['tiff, 5,000 directories', createManyDirectoryTiff(5_000)],
  ];
}

/** Returns small files with as much work as possible, within the limits or slightly above. */
function large(): Named[] {
  return [
    ['checkerboard', checkerboard(3_000)],
    ['jpeg of 102 megapixels', createLargeJpeg()],
    ['jpeg of 102 megapixels, turned', createLargeJpeg(6)],
    ['webp of 100 megapixels', createLosslessWebp()],
    ['tiff of 100 megapixels', createSolidTiff()],
    ['tiff of noise, 9 megapixels', createNoisyTiff({ width: 3_000, height: 3_000 })],
    ['tiff of noise, 100 megapixels', createNoisyTiff(hundredMegapixels)],
    ['avif of 36 megapixels', createSolidAvif({ width: 6_000, height: 6_000 })],
    ['png in pieces', createPngInPieces()],
    ['png that says it is wide', createWidePng()],
    ['gif of 200 megapixels', createSolid({ width: 14_000, height: 14_000 }).gif({ effort: 1 }).toBuffer()],
  ];
}

/** Returns a checkerboard: some kilobytes as PNG, but megabytes in any generated size. */
function checkerboard(side: number): Promise<Buffer> {
  const raw = { width: side, height: side, channels: 1 } as const;
  const pixels = Buffer.from(
    Uint8Array.from({ length: side * side }, (_, at) => ((at + Math.floor(at / side)) % 2) * 255),
  );
  return sharp(pixels, { raw }).png({ compressionLevel: 9 }).toBuffer();
}
