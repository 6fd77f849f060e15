/** Small files with large pictures: the server must serve or refuse them without running out of memory. */
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

type Size = { width: number; height: number };
const fillColor = { r: 90, g: 140, b: 60 };

export function createSolid({ width, height }: Size, alpha?: number): Sharp {
  const background = alpha === undefined ? fillColor : { ...fillColor, alpha };
  const image = sharp({
    create: { width, height, channels: alpha === undefined ? 3 : 4, background },
    limitInputPixels: false,
  });
  return image;
}

/** A picture of 102 megapixels, as medium-format cameras create them. */
const mediumFormatSize = { width: 11_648, height: 8_736 };
export const hundredMegapixels = { width: 10_000, height: 10_000 };

export function createLargeJpeg(orientation = 1): Promise<Buffer> {
  return createSolid(mediumFormatSize).withMetadata({ orientation }).jpeg({ quality: 90 }).toBuffer();
}

/** Creates a lossless WebP of one color, some 40 to some hundred bytes long. */
export function createLosslessWebp(size = hundredMegapixels): Promise<Buffer> {
  return createSolid(size).webp({ lossless: true, effort: 0 }).toBuffer();
}

export function createSolidTiff(size = hundredMegapixels): Promise<Buffer> {
  return createSolid(size, 0.5).tiff({ compression: 'deflate' }).toBuffer();
}

export function createSolidAvif(size: Size): Promise<Buffer> {
  return createSolid(size, 0.5).avif({ effort: 0, quality: 30 }).toBuffer();
}

/** Creates a TIFF of repeated noise with alpha: every part is expensive to encode, and the file is small. */
export function createNoisyTiff({ width, height } = hundredMegapixels): Buffer {
  const rows = 50;
  const strip = Buffer.alloc(width * rows * 4);
  let seed = 1;
  for (let at = 0; at < strip.length; at++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    strip[at] = seed >>> 24;
  }
  return createTiff({ width, height, rows }, deflateSync(strip, { level: 1 }));
}

/** Creates an RGBA TIFF whose strips of `rows` rows share the same bytes in the file. */
function createTiff({ width, height, rows }: Size & { rows: number }, strip: Buffer): Buffer {
  const strips = Math.ceil(height / rows);
  const entries = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 4, 0],
    [259, 3, 1, 8],
    [262, 3, 1, 2],
    [273, 4, strips, 0],
    [277, 3, 1, 4],
    [278, 4, 1, rows],
    [279, 4, strips, 0],
    [338, 3, 1, 2],
  ] as const;
  const bitsAt = 8 + 2 + entries.length * 12 + 4;
  const offsetsAt = bitsAt + 8;
  const countsAt = offsetsAt + strips * 4;
  const stripAt = countsAt + strips * 4;
  const head = Buffer.alloc(stripAt);
  head.write('II*\0', 'latin1');
  head.writeUInt32LE(8, 4);
  head.writeUInt16LE(entries.length, 8);
  const places: Record<number, number> = { 258: bitsAt, 273: offsetsAt, 279: countsAt };
  entries.forEach(([tag, type, count, value], index) => {
    const at = 10 + index * 12;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(count, at + 4);
    head.writeUInt32LE(places[tag] ?? value, at + 8);
  });
  for (let channel = 0; channel < 4; channel++) head.writeUInt16LE(8, bitsAt + channel * 2);
  for (let index = 0; index < strips; index++) {
    head.writeUInt32LE(stripAt, offsetsAt + index * 4);
    head.writeUInt32LE(strip.length, countsAt + index * 4);
  }
  return Buffer.concat([head, strip]);
}

/** Creates a TIFF with one small picture and `count` identical additional directories. */
export function createManyDirectoryTiff(count: number): Buffer {
  const first = createTiff({ width: 16, height: 16, rows: 16 }, deflateSync(Buffer.alloc(16 * 16 * 4, 100)));
  const directory = first.subarray(8, 8 + 2 + 10 * 12 + 4);
  const chain = Array.from({ length: count }, (_, index) => {
    const copy = Buffer.from(directory);
    const next = index === count - 1 ? 0 : first.length + (index + 1) * directory.length;
    copy.writeUInt32LE(next, directory.length - 4);
    return copy;
  });
  const start = Buffer.from(first);
  start.writeUInt32LE(first.length, 8 + directory.length - 4);
  return Buffer.concat([start, ...chain]);
}

/** Creates a PNG with so many chunks that the server renders its clean copy instead of copying ranges. */
export async function createPngInPieces(size = hundredMegapixels): Promise<Buffer> {
  const png = await createSolid(size, 0.5).png({ compressionLevel: 9 }).toBuffer();
  const dropped = createChunk('teXt');
  const kept = createChunk('fdAT');
  const pieces = Array.from({ length: 300 }, () => [dropped, kept]).flat();
  return Buffer.concat([png.subarray(0, 33), ...pieces, png.subarray(33)]);
}

function createChunk(type: string): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(4, 0);
  bytes.write(type, 4, 'latin1');
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 12)), 12);
  return bytes;
}

/**
 * Creates a PNG of 100 bytes with a declared width of 2,097,168 pixels, of which a decoder holds hundreds of
 * rows.
 */
export function createWidePng(): Promise<Buffer> {
  return createClaimingPng({ width: 2_097_168, height: 16 });
}

/** Creates a PNG of 100 bytes that claims a size. */
export async function createClaimingPng({ width, height }: Size): Promise<Buffer> {
  const small = { width: 16, height: 16, channels: 3 as const, background: 'teal' };
  const png = await sharp({ create: small }).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}
