/** Metadata that costs a reader far more than its size suggests, and the file formats that contain it. */
import { crc32, deflateSync } from 'node:zlib';
import { createSolid } from './hostile-pictures.ts';

export type ExifEntry = [tag: number, type: number, count: number, value: number];

const smallSize = { width: 64, height: 64 };

/**
 * Creates a little-endian Exif block from directories with positions. The first directory must be at position
 * 8.
 */
export function createExifBlock(
  directories: [position: number, entries: ExifEntry[], next?: number][],
): Buffer {
  const end = Math.max(...directories.map(([position, entries]) => position + 6 + entries.length * 12));
  const block = Buffer.alloc(end);
  block.write('II*\0', 'latin1');
  block.writeUInt32LE(8, 4);
  for (const [position, entries, next = 0] of directories) {
    block.writeUInt16LE(entries.length, position);
    for (const [index, [tag, type, count, value]] of entries.entries()) {
      const at = position + 2 + index * 12;
      block.writeUInt16LE(tag, at);
      block.writeUInt16LE(type, at + 2);
      block.writeUInt32LE(count, at + 4);
      block.writeUInt32LE(value, at + 8);
    }
    block.writeUInt32LE(next, position + 2 + entries.length * 12);
  }
  return block;
}

/** Creates an Exif block with `count` pointers to one directory, which has `count` pointers to itself. */
export function createPointerLoopExif(count: number): Buffer {
  const second = 8 + 6 + count * 12;
  const createPointers = (tag: number) => Array.from({ length: count }, (): ExifEntry => [tag, 4, 1, second]);
  return createExifBlock([
    [8, createPointers(0x8769)],
    [second, createPointers(0xa005)],
  ]);
}

export async function createJpegWith(...segments: Buffer[]): Promise<Buffer> {
  const jpeg = await createSolid(smallSize).jpeg().toBuffer();
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

function createSegment(marker: number, ...content: Buffer[]): Buffer {
  const all = Buffer.concat([Buffer.from([0xff, marker, 0, 0]), ...content]);
  all.writeUInt16BE(all.length - 2, 2);
  return all;
}

export function createExifSegment(block: Buffer): Buffer {
  return createSegment(0xe1, Buffer.from('Exif\0\0', 'latin1'), block);
}

/** Creates a JPEG segment with one part of a color profile. */
export function createProfileSegment(part: number, parts: number, bytes: Buffer): Buffer {
  return createSegment(0xe2, Buffer.from('ICC_PROFILE\0', 'latin1'), Buffer.from([part, parts]), bytes);
}

export async function createPngWith(...chunks: Buffer[]): Promise<Buffer> {
  const png = await createSolid(smallSize).png().toBuffer();
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

export function createPngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(8), data, Buffer.alloc(4)]);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** Creates a compressed PNG text with `bytes` bytes after decompression. */
export function createCompressedText(bytes: number): Buffer {
  return createPngChunk(
    'zTXt',
    Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(bytes, 'A'))]),
  );
}

export function createCompressedXmp(bytes: number): Buffer {
  const head = Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0', 'latin1');
  return createPngChunk('iTXt', Buffer.concat([head, deflateSync(Buffer.alloc(bytes, ' '))]));
}

export async function createWebpWith(type: string, data: Buffer): Promise<Buffer> {
  const webp = await createSolid(smallSize).webp({ lossless: true }).toBuffer();
  const head = Buffer.from(`VP8X\x0a\0\0\0${type === 'EXIF' ? '\x08' : '\x20'}\0\0\0?\0\0?\0\0`, 'latin1');
  const chunk = Buffer.concat([
    Buffer.from(`${type}\0\0\0\0`, 'latin1'),
    data,
    Buffer.alloc(data.length & 1),
  ]);
  chunk.writeUInt32LE(data.length, 4);
  const all = Buffer.concat([webp.subarray(0, 12), head, webp.subarray(12), chunk]);
  all.writeUInt32LE(all.length - 8, 4);
  return all;
}

/** Creates a TIFF of 16 by 16 gray pixels, in which each page has `tags` unknown tags. */
export function createTaggedTiff(tags: number, pages = 1): Buffer {
  const known: ExifEntry[] = [
    [256, 3, 1, 16],
    [257, 3, 1, 16],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, 1, 8],
    [277, 3, 1, 1],
    [278, 3, 1, 16],
    [279, 4, 1, 256],
  ];
  const unknown = Array.from({ length: tags }, (_, index): ExifEntry => [40_000 + index, 3, 1, 7]);
  const entries = [...known, ...unknown];
  const bytes = 6 + entries.length * 12;
  const start = 8 + 256;
  const tiff = createExifBlock(
    Array.from({ length: pages }, (_, page) => {
      const position = start + page * bytes;
      return [position, entries, page === pages - 1 ? 0 : position + bytes] as [number, ExifEntry[], number];
    }),
  );
  tiff.writeUInt32LE(start, 4);
  return tiff;
}
