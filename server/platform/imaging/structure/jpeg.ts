import type { ByteWindow } from '../clean/byte-window.ts';
import { findJpegScanEnd } from '../clean/jpeg.ts';
import { UnexpectedStructure } from '../clean/parts.ts';
import { structureBounds } from './bounds.ts';
import { createExifCheck } from './exif.ts';
import { copyByteRange, viewByteRange } from './extents.ts';
import { createScanRecord } from './jpeg-scans.ts';
import { createColorProfileCheck } from './profile.ts';
import { createAmountLimit, damagedFileError, tooLargeImageError } from './refusals.ts';
import type { PictureStructure } from './structure.ts';

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
const app1 = 0xe1;
const app2 = 0xe2;

/** Bytes that are read at once from the end of a file. */
const readBackBytes = 16 * 1024;

/** Markers of frames: baseline, extended, progressive and lossless, with Huffman or arithmetic coding. */
const frameMarkers = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
const progressiveMarkers = new Set([0xc2, 0xc6, 0xca, 0xce]);
/** Markers of frames with Huffman coding, in which missing data can be detected. */
const huffmanMarkers = new Set([0xc0, 0xc1, 0xc2]);

interface Frame {
  width: number;
  height: number;
  marker: number;
  componentIds: number[];
  sampleBytes: number;
  isProgressive: boolean;
}

interface Segment {
  marker: number;
  /** Position of the segment's marker, and of the segment's end. */
  start: number;
  end: number;
}

/**
 * Reads the structure of a JPEG. For a truncated file returns the values found, because its decoder will report the
 * truncation. Throws ImageError, with 'format' if no frame was found.
 */
export async function readJpegStructure(bytes: ByteWindow): Promise<PictureStructure> {
  const exif = createExifCheck();
  const profile = createColorProfileCheck();
  const scanRecord = createScanRecord();
  let frame: Frame | undefined;
  let scans = 0;
  let last: Segment | undefined;
  for await (const segment of readSegments(bytes)) {
    const { marker, start, end } = segment;
    last = segment;
    if (marker === startOfScan) scanRecord.add(await copyByteRange(bytes, start, end));
    if (frameMarkers.has(marker)) frame ??= await readFrame(bytes, segment);
    if (marker === startOfScan && ++scans > structureBounds.scans)
      throw tooLargeImageError('it has too many scans');
    if (marker === startOfScan && frame && scans === 1)
      frame.isProgressive ||= (await bytes.from(start, 5))[4]! < frame.componentIds.length;
    if (marker === app1) await exif.checkBlock(viewByteRange(bytes, start + 4, end));
    if (marker === app2) await profile.checkSegment(viewByteRange(bytes, start + 4, end));
  }
  if (!frame) throw damagedFileError('a JPEG without a frame');
  const { width, height, sampleBytes, isProgressive } = frame;
  const hasWholeScans =
    huffmanMarkers.has(frame.marker) &&
    scanRecord.isComplete({ ...frame, isProgressive: progressiveMarkers.has(frame.marker) });
  const endMarkerAt =
    hasWholeScans && last && last.marker !== endOfImage ? await findMissingEnd(bytes, last.end) : undefined;
  return {
    ...(endMarkerAt !== undefined && { endMarkerAt }),
    format: 'jpeg',
    width,
    height,
    frames: 1,
    decodedPixels: width * height,
    sampleBytes,
    isProgressive,
    hasAlpha: false,
  };
}

/**
 * Yields the segments up to the end of the picture, with the end marker if the file has one. Bytes between two segments are skipped like the bytes of a scan.
 */
async function* readSegments(bytes: ByteWindow): AsyncGenerator<Segment> {
  const count = createAmountLimit(structureBounds.pieces, 'it has too many parts');
  for (let start = await findMarker(bytes, 2); start !== undefined; ) {
    count();
    const head = await bytes.from(start, 4);
    const marker = head[1];
    if (marker === endOfImage) yield { marker, start, end: start + 2 };
    if (marker === undefined || marker === endOfImage || head.length < 4) return;
    const isBare = marker <= 0x01 || marker === startOfImage;
    const length = isBare ? 0 : head.readUInt16BE(2);
    if (!isBare && length < 2) return;
    const end = start + 2 + length;
    if (!isBare) yield { marker, start, end };
    start = await findMarker(bytes, end);
  }
}

/** Returns the position of the next marker, or undefined if the file ends before. */
async function findMarker(bytes: ByteWindow, position: number): Promise<number | undefined> {
  try {
    return await findJpegScanEnd(bytes, position);
  } catch (error) {
    if (error instanceof UnexpectedStructure) return undefined;
    throw error;
  }
}

/**
 * Returns the position at which the end marker is missing. Zeros at the end of the file are padding and not part of the
 * picture.
 */
async function findMissingEnd(bytes: ByteWindow, scanStart: number): Promise<number | undefined> {
  let end = bytes.size;
  while (end > scanStart) {
    const start = Math.max(scanStart, end - readBackBytes);
    const block = (await bytes.from(start, end - start)).subarray(0, end - start);
    const at = block.findLastIndex((byte) => byte !== 0);
    if (at !== -1) {
      const position = start + at;
      // A scan writes its byte 0xff with a zero after it.
      const isCoded = block[at] === 0xff && position + 1 < bytes.size;
      return isCoded ? position + 2 : trimMarkerStart(block, start, at + 1);
    }
    end = start;
  }
  return undefined;
}

/** Returns the end without the first byte of a marker that was cut. */
function trimMarkerStart(block: Buffer, start: number, length: number): number {
  let end = length;
  while (end > 0 && block[end - 1] === 0xff) end--;
  return start + end;
}

async function readFrame(bytes: ByteWindow, { marker, start, end }: Segment): Promise<Frame | undefined> {
  const head = (await bytes.from(start, end - start)).subarray(0, end - start);
  const components = head[9] ?? 0;
  if (head.length < 10 + components * 3) return undefined;
  const factors = Array.from({ length: components }, (_, index) => head[11 + index * 3]!);
  const across = Math.max(1, ...factors.map((factor) => factor >> 4));
  const down = Math.max(1, ...factors.map((factor) => factor & 15));
  const samples = factors.reduce((sum, factor) => sum + ((factor >> 4) * (factor & 15)) / (across * down), 0);
  return {
    width: head.readUInt16BE(7),
    height: head.readUInt16BE(5),
    marker,
    componentIds: Array.from({ length: components }, (_, index) => head[10 + index * 3]!),
    sampleBytes: samples * (head[4]! > 8 ? 2 : 1),
    isProgressive: progressiveMarkers.has(marker),
  };
}
