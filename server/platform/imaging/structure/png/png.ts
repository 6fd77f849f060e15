import type { ByteWindow } from '../../clean/byte-window.ts';
import { structureBounds } from '../bounds.ts';
import type { DeclaredColor } from '../color.ts';
import { createExifCheck } from '../exif.ts';
import { viewByteRange } from '../extents.ts';
import { createAmountLimit, damagedFileError, tooLargeImageError } from '../refusals.ts';
import type { PictureStructure } from '../structure.ts';
import { createPngColorRecord } from './colors.ts';
import { createPngTextCheck } from './texts.ts';

const chunksStart = 8;
const chunkHead = 8;
const headerBytes = 13;

const gray = 0;
const trueColor = 2;
const palette = 3;
const grayWithAlpha = 4;

/** Number of samples per stored pixel of a PNG, by color type. */
const storedSamples: Record<number, number> = {
  [gray]: 1,
  [trueColor]: 3,
  [palette]: 1,
  [grayWithAlpha]: 2,
  6: 4,
};

interface Header {
  width: number;
  height: number;
  depth: number;
  color: number;
  isInterlaced: boolean;
}

/**
 * Reads the structure of a PNG. Throws ImageError, with 'too-large' also for an interlaced picture whose decoder would
 * hold too many pixels.
 */
export async function readPngStructure(bytes: ByteWindow): Promise<PictureStructure> {
  const header = await readHeader(bytes);
  const { hasTransparency, color: declared } = await checkChunks(bytes);
  const { width, height, depth, color, isInterlaced } = header;
  const hasAlpha = hasTransparency || color > palette;
  if (isInterlaced && width * height * heldBytes(header, hasAlpha) > structureBounds.heldBytes)
    throw tooLargeImageError('it is interlaced, so all its pixels must be in memory at once');
  return {
    format: 'png',
    width,
    height,
    frames: 1,
    decodedPixels: width * height,
    sampleBytes: ((storedSamples[color] ?? 4) * depth) / 8,
    isProgressive: isInterlaced,
    hasAlpha,
    ...(declared && { color: declared }),
  };
}

async function readHeader(bytes: ByteWindow): Promise<Header> {
  const head = await bytes.from(chunksStart, chunkHead + headerBytes);
  if (head.length < chunkHead + headerBytes || head.toString('latin1', 4, 8) !== 'IHDR')
    throw damagedFileError('a PNG without a header');
  return {
    width: head.readUInt32BE(8),
    height: head.readUInt32BE(12),
    depth: head[16]!,
    color: head[17]!,
    isInterlaced: head[20] === 1,
  };
}

interface Chunks {
  /** Whether there is a tRNS chunk. */
  hasTransparency: boolean;
  color: DeclaredColor | undefined;
}

/** Checks all chunks, because libpng reads those after the picture, too. */
async function checkChunks(bytes: ByteWindow): Promise<Chunks> {
  const count = createAmountLimit(
    structureBounds.pieces + bytes.size / structureBounds.bytesPerChunk,
    'it has too many parts',
  );
  const exif = createExifCheck();
  const texts = createPngTextCheck();
  const colors = createPngColorRecord();
  let hasTransparency = false;
  for (let position = chunksStart; ; ) {
    const head = await bytes.from(position, chunkHead);
    const type = head.toString('latin1', 4, chunkHead);
    if (head.length < chunkHead || type === 'IEND') return { hasTransparency, color: colors.read() };
    count();
    const start = position + chunkHead;
    const end = start + head.readUInt32BE(0);
    hasTransparency ||= type === 'tRNS';
    await colors.add(type, viewByteRange(bytes, start, end));
    if (type === 'eXIf') await exif.checkBlock(viewByteRange(bytes, start, end));
    if (type === 'zTXt' || type === 'iTXt' || type === 'iCCP')
      await texts.checkChunk(type, viewByteRange(bytes, start, end));
    position = end + 4;
  }
}

/** Returns the bytes of a decoded pixel, plus 1.5 for rows in progress. */
function heldBytes({ depth, color }: Header, hasAlpha: boolean): number {
  const colours = color === gray || color === grayWithAlpha ? 1 : 3;
  return 1.5 + (colours + (hasAlpha ? 1 : 0)) * (depth > 8 ? 2 : 1);
}
