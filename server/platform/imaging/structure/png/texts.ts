import { promisify } from 'node:util';
import { constants, inflate } from 'node:zlib';
import type { ByteWindow } from '../../clean/byte-window.ts';
import { structureBounds } from '../bounds.ts';
import { copyByteRange } from '../extents.ts';
import { checkColorProfileBytes } from '../profile.ts';
import { createAmountLimit, tooLargeImageError } from '../refusals.ts';

const inflateAsync = promisify(inflate);

/** Maximum bytes that Deflate can produce from one byte. */
const largestRatio = 1_032;

/**
 * Maximum bytes of a text's keyword or a profile's name, including the zero at its end. libpng reads no longer ones.
 */
const keywordBytes = 80;
const compressedFlag = 1;
const tooMuchText = 'its text chunks are too large';

/** Checks the compressed chunks of a PNG, which libpng inflates each time it opens the file. */
export function createPngTextCheck() {
  const countText = createAmountLimit(structureBounds.texts, 'it has too many compressed text chunks');
  const countBytes = createAmountLimit(structureBounds.textBytes, tooMuchText);
  return {
    /** Checks a chunk. `data` is the chunk's content. Throws ImageError ('too-large'). */
    async checkChunk(type: 'zTXt' | 'iTXt' | 'iCCP', data: ByteWindow): Promise<void> {
      const start = await findCompressed(type, data);
      if (start === undefined) return;
      if (type === 'iCCP') return checkColorProfileBytes(data.size);
      countText();
      if (data.size - start > structureBounds.textBytes) throw tooLargeImageError(tooMuchText);
      countBytes(await inflatedBytes(await copyByteRange(data, start, data.size)));
    },
  };
}

/** Returns the position of the compressed bytes, or undefined if there are none. */
async function findCompressed(type: string, data: ByteWindow): Promise<number | undefined> {
  const keyword = (await data.from(0, keywordBytes)).subarray(0, keywordBytes);
  const end = keyword.indexOf(0);
  if (end === -1) return undefined;
  if (type !== 'iTXt') return end + 2;
  // A flag and a method follow, then a language and a translated keyword of unlimited length.
  const flag = (await data.from(end + 1, 1))[0];
  if (flag !== compressedFlag) return undefined;
  const language = await findZero(data, end + 3);
  return language === undefined ? undefined : await findZero(data, language);
}

/** Returns the position after the next zero byte of a PNG chunk. */
async function findZero(data: ByteWindow, start: number): Promise<number | undefined> {
  for (let position = start; ; ) {
    const bytes = await data.from(position, 1);
    if (bytes.length === 0) return undefined;
    const at = bytes.indexOf(0);
    if (at !== -1) return position + at + 1;
    position += bytes.length;
  }
}

/**
 * Returns the inflated size of a text. A damaged text counts with its maximum possible size, because libpng inflates it
 * up to the damage.
 */
async function inflatedBytes(compressed: Buffer): Promise<number> {
  try {
    const text = await inflateAsync(compressed, {
      maxOutputLength: structureBounds.textBytes,
      chunkSize: 256 * 1024,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    return text.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLargeImageError(tooMuchText);
    return compressed.length * largestRatio;
  }
}
