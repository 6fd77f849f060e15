/** Writes pictures that declare colors by numbers. */
import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';
import type { Sharp } from 'sharp';

/** Creates a PNG chunk. */
export function createPngChunk(type: string, data: number[]): Buffer {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  Buffer.from(data).copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/** Encodes a PNG and inserts chunks after its header. */
export async function encodeWithChunks(
  image: Sharp,
  chunks: [type: string, data: number[]][],
): Promise<Buffer> {
  const png = await image.png().toBuffer();
  return Buffer.concat([
    png.subarray(0, 33),
    ...chunks.map(([type, data]) => createPngChunk(type, data)),
    png.subarray(33),
  ]);
}

/** Encodes fractions as a PNG does. */
export function encodePngFractions(...values: number[]): number[] {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeUInt32BE(Math.round(value * 100_000), index * 4);
  });
  return [...bytes];
}

/** Returns an Exif block with an orientation. */
export function createOrientationExif(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

/** Replaces the color numbers in AV1 sequence headers, which are not at a whole byte. sharp writes 1, 13 and 6. */
export function replaceCodedNumbers(avif: Buffer, primaries: number, transfer: number): Buffer {
  const bits = [...avif].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const toBits = (...bytes: number[]) => bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const start = avif.indexOf('mdat') * 8;
  const data = bits.slice(start).replace(toBits(1, 13, 6), toBits(primaries, transfer, 6));
  assert.notEqual(data, bits.slice(start), 'the numbers were found');
  const bytes = (bits.slice(0, start) + data).match(/.{8}/g)!;
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
