import type { ByteWindow } from '../clean/byte-window.ts';
import { structureBounds } from './bounds.ts';
import { createExifCheck, type ExifCheck } from './exif.ts';
import { viewByteRange } from './extents.ts';
import { checkColorProfileBytes } from './profile.ts';
import { createAmountLimit, damagedFileError } from './refusals.ts';
import type { PictureStructure } from './structure.ts';

const riffHead = 12;
const chunkHead = 8;
const alphaFlag = 0x10;
const animationFlag = 0x02;
const losslessMark = 0x2f;

interface Picture {
  width: number;
  height: number;
  hasAlpha: boolean;
  sampleBytes: number;
}

interface Canvas {
  width: number;
  height: number;
  hasAlpha: boolean;
  isAnimated: boolean;
}

interface ParsedChunks {
  canvas?: Canvas;
  /** Picture of a still, or the first frame of an animation. */
  picture?: Picture;
  frames: number;
}

/**
 * Reads the structure of a WebP. Throws ImageError, with 'format' for a file without a picture or a frame outside its
 * canvas.
 */
export async function readWebpStructure(bytes: ByteWindow): Promise<PictureStructure> {
  const { canvas, picture, frames } = await readChunks(bytes);
  const size = canvas ?? picture;
  if (!size) throw damagedFileError('a WebP without a picture');
  const isAnimated = canvas?.isAnimated === true;
  if (isAnimated && frames === 0) throw damagedFileError('an animation without frames');
  return {
    format: 'webp',
    width: size.width,
    height: size.height,
    frames: isAnimated ? frames : 1,
    decodedPixels: Math.max(size.width * size.height, picture ? picture.width * picture.height : 0),
    sampleBytes: isAnimated ? 4 : (picture?.sampleBytes ?? 4),
    isProgressive: false,
    hasAlpha: size.hasAlpha,
  };
}

async function readChunks(bytes: ByteWindow): Promise<ParsedChunks> {
  const found: ParsedChunks = { frames: 0 };
  const exif = createExifCheck();
  const countChunk = createAmountLimit(structureBounds.pieces, 'it has too many parts');
  const countFrame = createAmountLimit(
    structureBounds.frames,
    `it has more than ${structureBounds.frames} frames`,
  );
  const head = await bytes.from(0, riffHead);
  if (head.length < riffHead) throw damagedFileError('cut short');
  // A decoder stops at the end of the container, not at the end of the file.
  const container = viewByteRange(bytes, 0, chunkHead + head.readUInt32LE(4));
  for (let position = riffHead; ; ) {
    const chunk = await container.from(position, chunkHead);
    if (chunk.length < chunkHead) return found;
    countChunk();
    const type = chunk.toString('latin1', 0, 4);
    const size = chunk.readUInt32LE(4);
    const data = viewByteRange(container, position + chunkHead, position + chunkHead + size);
    if (type === 'ANMF') countFrame();
    await readChunk(found, type, data, exif);
    position += chunkHead + size + (size & 1);
  }
}

async function readChunk(
  found: ParsedChunks,
  type: string,
  data: ByteWindow,
  exif: ExifCheck,
): Promise<void> {
  if (type === 'VP8X') found.canvas ??= await readCanvas(data);
  else if (type === 'VP8 ') found.picture ??= await readLossy(data);
  else if (type === 'VP8L') found.picture ??= await readLossless(data);
  else if (type === 'EXIF') await exif.checkBlock(data);
  else if (type === 'ICCP') checkColorProfileBytes(data.size);
  else if (type === 'ANMF' && (await isWithin(data, found.canvas))) found.frames++;
}

async function readCanvas(data: ByteWindow): Promise<Canvas | undefined> {
  const bytes = await data.from(0, 10);
  if (bytes.length < 10) return undefined;
  return {
    width: bytes.readUIntLE(4, 3) + 1,
    height: bytes.readUIntLE(7, 3) + 1,
    hasAlpha: (bytes[0]! & alphaFlag) !== 0,
    isAnimated: (bytes[0]! & animationFlag) !== 0,
  };
}

/**
 * Reads a frame's position and size. Returns false for a truncated frame. Throws ImageError if the frame exceeds the
 * canvas.
 */
async function isWithin(data: ByteWindow, canvas: Canvas | undefined): Promise<boolean> {
  const bytes = await data.from(0, 16);
  if (bytes.length < 16 || !canvas) return false;
  const right = bytes.readUIntLE(0, 3) * 2 + bytes.readUIntLE(6, 3) + 1;
  const bottom = bytes.readUIntLE(3, 3) * 2 + bytes.readUIntLE(9, 3) + 1;
  if (right > canvas.width || bottom > canvas.height)
    throw damagedFileError('a frame larger than its canvas');
  return true;
}

/** Reads the header of a VP8 key frame. */
async function readLossy(data: ByteWindow): Promise<Picture | undefined> {
  const bytes = await data.from(0, 10);
  if (bytes.length < 10 || bytes.readUIntBE(3, 3) !== 0x9d012a) return undefined;
  const [width, height] = [bytes.readUInt16LE(6) & 0x3fff, bytes.readUInt16LE(8) & 0x3fff];
  return { width, height, hasAlpha: false, sampleBytes: 1.5 };
}

async function readLossless(data: ByteWindow): Promise<Picture | undefined> {
  const bytes = await data.from(0, 5);
  if (bytes.length < 5 || bytes[0] !== losslessMark) return undefined;
  const bits = bytes.readUInt32LE(1);
  const hasAlpha = ((bits >>> 28) & 1) === 1;
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, hasAlpha, sampleBytes: 4 };
}
