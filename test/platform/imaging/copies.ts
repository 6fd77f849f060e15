/** Clean copies as clients receive them, assembled from their parts. */
import assert from 'node:assert/strict';
import {
  type CleanPart,
  computeCleanParts,
  countCleanCopyBytes,
} from '../../../server/platform/imaging/clean/clean.ts';
import type { ImageFormat } from '../../../server/platform/imaging/formats.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import { createFolder } from './pictures.ts';

/** Creates files for clean copies in a temporary folder that is deleted with the calling test file. */
export function createCopies() {
  const write = createFolder();
  const findCleanParts = (
    original: Buffer,
    format: ImageFormat,
    orientation = 1,
  ): Promise<CleanPart[] | null> => computeCleanParts(write('original', original), format, orientation);
  async function createCleanCopy(
    original: Buffer,
    format: ImageFormat,
    orientation: number,
  ): Promise<Buffer> {
    const parts = await findCleanParts(original, format, orientation);
    assert.ok(parts, 'it can be cleaned');
    return assemble(original, parts);
  }
  return { write, findCleanParts, createCleanCopy };
}

export function assemble(original: Buffer, parts: CleanPart[]): Buffer {
  const bytes = parts.map((part) =>
    'end' in part ? original.subarray(part.start, part.end) : Buffer.from(part.base64, 'base64'),
  );
  const copy = Buffer.concat(bytes);
  assert.equal(copy.length, countCleanCopyBytes(parts));
  return copy;
}

export async function decodePixels(data: Buffer): Promise<Buffer> {
  return await sharp(data, { autoOrient: true, animated: true }).raw().toBuffer();
}

export function withSegment(jpeg: Buffer, marker: number, text: string): Buffer {
  const segment = Buffer.concat([Buffer.from([0xff, marker, 0, text.length + 2]), Buffer.from(text)]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}
