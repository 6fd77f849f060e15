/**
 * Counts the pieces of a file before its decoder sees them: it keeps each of them, so that 12 MB of empty JPEG segments
 * take a gigabyte, and looks back at each, so that 40,000 WebP frames in 2 MB take seconds, a million half an hour.
 */
import { type ByteWindow, withByteWindow } from './clean/byte-window.ts';
import { colorTableBytes, endOfBlock, imageBlock, trailer } from './clean/gif.ts';
import { endOfScan } from './clean/jpeg.ts';
import { OddStructure } from './clean/parts.ts';
import { ImageError } from './errors.ts';
import type { Format } from './formats.ts';
import { maxFrames, maxPieces } from './limits.ts';

type Count = (bytes: ByteWindow, count: () => void) => Promise<void>;

const endOfImage = 0xd9;
const frameHead = 19;

const counters: Partial<Record<Format, { walk: Count; max: number }>> = {
  jpeg: { walk: countSegments, max: maxPieces },
  webp: { walk: countChunks, max: maxPieces },
  gif: { walk: countFrames, max: maxFrames },
};

/** Throws ImageError. Where the structure ends, the decoder's work ends, too: whether it is whole is not asked here. */
export async function checkPieces(file: string, format: Format): Promise<void> {
  const counting = counters[format];
  if (!counting) return;
  let left = counting.max;
  const count = () => {
    if (left-- === 0) throw new ImageError('too-large', 'The image is too large: it is in too many pieces');
  };
  try {
    await withByteWindow(file, (bytes) => counting.walk(bytes, count));
  } catch (error) {
    if (!(error instanceof OddStructure)) throw error;
  }
}

/** As a decoder finds them: whatever lies between two segments is passed over, as the bytes of a scan are. */
async function countSegments(bytes: ByteWindow, count: () => void): Promise<void> {
  for (let position = await endOfScan(bytes, 2); ; ) {
    count();
    const head = await bytes.from(position, 4);
    if (head[1] === endOfImage || head.length < 4) return;
    const isBare = head[1]! <= 0x01 || head[1] === 0xd8;
    const length = isBare ? 0 : head.readUInt16BE(2);
    if (!isBare && length < 2) return;
    position = await endOfScan(bytes, position + 2 + length);
  }
}

async function countChunks(bytes: ByteWindow, count: () => void): Promise<void> {
  for (let position = 12; ; ) {
    const head = await bytes.from(position, 8);
    if (head.length < 8) return;
    count();
    const size = head.readUInt32LE(4);
    position += 8 + size + (size & 1);
  }
}

async function countFrames(bytes: ByteWindow, count: () => void): Promise<void> {
  const screen = await bytes.from(0, 13);
  let position = 13 + colorTableBytes(screen[10]);
  for (;;) {
    const head = await bytes.from(position, frameHead);
    if (head.length === 0 || head[0] === trailer) return;
    if (head[0] === imageBlock) count();
    position = await endOfBlock(bytes, position, head);
  }
}
