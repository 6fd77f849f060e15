import type { ByteWindow } from './byte-window.ts';
import { cleanIcc } from './icc.ts';
import {
  addLiteralBytes,
  addOriginalRange,
  type CleanPart,
  createParsingStepLimit,
  orientationExif,
  UnexpectedStructure,
} from './parts.ts';

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
const app0 = 0xe0;
const app1 = 0xe1;
const app2 = 0xe2;
const app14 = 0xee;
const app15 = 0xef;
const commentMarker = 0xfe;
const numberOfLines = 0xdc;
const restartInterval = 0xdd;
/** Bytes of Adobe's color segment: marker, length, `Adobe`, and seven bytes. */
const adobeBytes = 16;

/** Bytes that identify a segment: marker, length, and the name of its owner. */
const segmentHead = 20;

/**
 * Returns the pieces needed for decoding: tables, frames, scans, JFIF, the ICC profile, and Adobe's color marker. Drops
 * Exif, XMP, IPTC, comments and maker notes. Drops also all data after the picture, such as second pictures, depth
 * maps, videos and archives.
 */
export async function cleanJpeg(bytes: ByteWindow, orientation: number): Promise<CleanPart[]> {
  const parts: CleanPart[] = [];
  addOriginalRange(parts, 0, 2);
  let position = 2;
  let isOrientationDue = orientation !== 1;
  let hasProfile = false;
  const countStep = createParsingStepLimit(bytes.size);
  while (true) {
    const head = await bytes.from(position, segmentHead);
    const marker = head[1];
    if (head[0] !== 0xff || marker === undefined) throw new UnexpectedStructure('no marker');
    if (marker === 0xff) {
      position += 1; // A JPEG may have padding bytes before a marker.
      continue;
    }
    if (isOrientationDue && marker !== app0) {
      addLiteralBytes(parts, exifSegment(orientation));
      isOrientationDue = false;
    }
    if (marker === endOfImage) {
      addOriginalRange(parts, position, position + 2);
      return parts;
    }
    if (isWithoutLength(marker) || head.length < 4) throw new UnexpectedStructure('no segment');
    countStep();
    const end = position + 2 + head.readUInt16BE(2);
    if (end > bytes.size || end < position + 4) throw new UnexpectedStructure('a segment past the end');
    if (marker === app2) {
      // Readers disagree on two profiles: some use the first, some the last, some none.
      if (isProfile(head) && hasProfile) throw new UnexpectedStructure('a second profile');
      hasProfile ||= isProfile(head);
      await addProfile(parts, bytes, position, end);
    } else addSegment(parts, head, marker, position, end);
    position = end;
    if (marker === startOfScan) {
      position = await findJpegScanEnd(bytes, end);
      addOriginalRange(parts, end, position);
    }
  }
}

function addSegment(parts: CleanPart[], head: Buffer, marker: number, position: number, end: number): void {
  if (marker === app0) {
    // The thumbnail in a JFIF segment may show parts that were cropped away. Only the segment's fixed 18 bytes are
    // copied, with a thumbnail of 0 by 0 pixels.
    if (segmentName(head) !== 'JFIF\0' || end - position < 18) return;
    const isBare = end - position === 18 && head[16] === 0 && head[17] === 0;
    if (isBare) addOriginalRange(parts, position, end);
    else addLiteralBytes(parts, bareJfif(head));
    return;
  }
  if (marker === app14 && segmentName(head) === 'Adobe' && end - position >= adobeBytes) {
    if (end - position === adobeBytes) addOriginalRange(parts, position, end);
    else addLiteralBytes(parts, bareAdobe(head));
    return;
  }
  if (marker === commentMarker || (marker >= app0 && marker <= app15)) return;
  // A decoder skips extra bytes of a line count or restart interval, so a longer segment could hide data.
  const isShort = marker !== numberOfLines && marker !== restartInterval ? true : end - position === 6;
  if (!decodedMarkers.has(marker) || !isShort) throw new UnexpectedStructure('an unknown segment');
  addOriginalRange(parts, position, end);
}

/**
 * Markers of segments needed for decoding: frames, Huffman and arithmetic tables, scans, quantization, number of lines,
 * restart interval.
 */
const decodedMarkers = new Set([
  ...[0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf],
  ...[0xc4, 0xcc, startOfScan, 0xdb, numberOfLines, restartInterval],
]);

const profileHead = 18;

function isProfile(head: Buffer): boolean {
  return head.toString('latin1', 4, 16) === 'ICC_PROFILE\0';
}

/**
 * Adds the color profile. A profile in several segments is too large to rewrite, and no display or phone writes one.
 */
async function addProfile(
  parts: CleanPart[],
  bytes: ByteWindow,
  position: number,
  end: number,
): Promise<void> {
  const segment = (await bytes.from(position, end - position)).subarray(0, end - position);
  if (!isProfile(segment)) return;
  if (segment[16] !== 1 || segment[17] !== 1) throw new UnexpectedStructure('a profile in pieces');
  const clean = cleanIcc(segment.subarray(profileHead));
  if (!clean) {
    addOriginalRange(parts, position, end);
    return;
  }
  const written = Buffer.concat([segment.subarray(0, profileHead), clean]);
  written.writeUInt16BE(written.length - 2, 2);
  addLiteralBytes(parts, written);
}

/** Returns Adobe's segment with version, flags and color transform, without any following bytes. */
function bareAdobe(head: Buffer): Buffer {
  const bare = Buffer.from(head.subarray(0, adobeBytes));
  bare.writeUInt16BE(adobeBytes - 2, 2);
  return bare;
}

/**
 * Returns the end of the entropy-coded bytes that start at `position`: the next marker that is not a restart marker.
 */
export async function findJpegScanEnd(bytes: ByteWindow, position: number): Promise<number> {
  let start = position;
  while (true) {
    const chunk = await bytes.from(start, 2);
    let at = chunk.indexOf(0xff);
    while (at !== -1 && at + 1 < chunk.length) {
      const next = chunk[at + 1]!;
      if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return start + at;
      at += next === 0xff ? 1 : 2;
      // A scan may consist of 0xff bytes only, and each search costs ten times as much as reading a byte.
      if (chunk[at] !== 0xff) at = chunk.indexOf(0xff, at);
    }
    if (chunk.length < 2) throw new UnexpectedStructure('no end');
    start += at === -1 ? chunk.length : at;
  }
}

function exifSegment(orientation: number): Buffer {
  const exif = orientationExif(orientation);
  const segment = Buffer.concat([Buffer.from([0xff, app1, 0, 0]), Buffer.from('Exif\0\0', 'latin1'), exif]);
  segment.writeUInt16BE(segment.length - 2, 2);
  return segment;
}

function bareJfif(head: Buffer): Buffer {
  const bare = Buffer.from(head.subarray(0, 18));
  bare.writeUInt16BE(16, 2);
  bare.fill(0, 16);
  return bare;
}

function segmentName(head: Buffer): string {
  return head.toString('latin1', 4, 9);
}

function isWithoutLength(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= startOfImage);
}
