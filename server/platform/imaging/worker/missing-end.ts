/** Completes a JPEG that lacks its end marker, and checks that nothing else is missing. */
import { chmodSync, closeSync, copyFileSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { ImageError } from '../errors.ts';
import { sharp, sharpInputOptions } from './sharp.ts';

const endMarker = Buffer.from([0xff, 0xd9]);

/** Replaces the bytes of `file` from `position` on by the end marker. */
export function addEndMarker(file: string, position: number): void {
  replaceEnd(file, position, endMarker);
}

const otherFile = 'other-end';
/** Number of rows at the bottom that are compared. A decoder holds up to 32 rows before it reports missing data. */
const comparedRows = 64;

/** Message of libjpeg if bytes remain between the last pixel and the added marker. */
const extraBytes = /extraneous bytes before marker 0xd9/;

/**
 * Throws ImageError if the pixels of a JPEG, completed by `addEndMarker`, depend on bytes after `position`. libvips
 * reports missing data, except in the last rows. These rows are decoded twice, with different bytes at the end.
 */
export async function checkEveryPixelDecodes(file: string, position: number): Promise<void> {
  const pixels = await readBottomRows(file, 'warning').catch((error: Error) => {
    if (extraBytes.test(error.message)) return readBottomRows(file, 'error');
    throw error;
  });
  copyFileSync(file, otherFile);
  try {
    replaceEnd(otherFile, position, Buffer.concat([fillerBytes, endMarker]));
    const others = await readBottomRows(otherFile, 'error');
    if (!pixels.equals(others))
      throw new ImageError('format', 'The file is damaged or not an image', { cause: 'missing pixels' });
  } finally {
    rmSync(otherFile, { force: true });
  }
}

/** Bytes that a decoder reads as coded pixels, also after any restart marker that is due. */
const fillerBytes = Buffer.concat(
  Array.from({ length: 16 }, (_, index) =>
    Buffer.concat([Buffer.from('5a93c66939b46d', 'hex'), Buffer.from([0xff, 0xd0 + (index % 8)])]),
  ),
);

async function readBottomRows(file: string, failOn: 'warning' | 'error'): Promise<Buffer> {
  const image = sharp(file, { ...sharpInputOptions, failOn });
  const { width, height } = await image.metadata();
  const rows = Math.min(comparedRows, height);
  return await image
    .extract({ left: 0, top: height - rows, width, height: rows })
    .raw()
    .toBuffer();
}

function replaceEnd(file: string, position: number, bytes: Buffer): void {
  // The copy of a read-only file is read-only, too.
  chmodSync(file, 0o600);
  const handle = openSync(file, 'r+');
  try {
    ftruncateSync(handle, position);
    writeSync(handle, bytes, 0, bytes.length, position);
  } finally {
    closeSync(handle);
  }
}
