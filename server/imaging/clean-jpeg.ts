import type { ByteWindow } from './byte-window.ts';
import { insert, keep, OddStructure, orientationExif, type Part } from './clean-parts.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COM = 0xfe;

/** Enough of a segment to know whose it is: marker, length, and the owner's name. */
const SEGMENT_HEAD = 20;

/**
 * Keeps what decoding needs: tables, frames, scans, JFIF, the ICC profile, Adobe's colour marker. Drops Exif, XMP,
 * IPTC, comments, makers' data, and all that follows the picture: second pictures, depth maps, videos, archives.
 */
export async function cleanJpeg(bytes: ByteWindow, orientation: number): Promise<Part[]> {
  const parts: Part[] = [];
  keep(parts, 0, 2);
  let position = 2;
  let isOrientationDue = orientation !== 1;
  while (true) {
    const head = await bytes.from(position, SEGMENT_HEAD);
    const marker = head[1];
    if (head[0] !== 0xff || marker === undefined) throw new OddStructure('no marker');
    if (marker === 0xff) {
      position += 1; // padding before a marker
      continue;
    }
    if (isOrientationDue && marker !== APP0) {
      insert(parts, exifSegment(orientation));
      isOrientationDue = false;
    }
    if (marker === EOI) {
      keep(parts, position, position + 2);
      return parts;
    }
    if (isWithoutLength(marker) || head.length < 4) throw new OddStructure('no segment');
    const end = position + 2 + head.readUInt16BE(2);
    if (end > bytes.size || end < position + 4) throw new OddStructure('a segment past the end');
    addSegment(parts, head, marker, position, end);
    position = end;
    if (marker === SOS) {
      position = await endOfScan(bytes, end);
      keep(parts, end, position);
    }
  }
}

function addSegment(parts: Part[], head: Buffer, marker: number, position: number, end: number): void {
  if (marker === APP0) {
    // JFIF's own thumbnail may show what was cropped away: only its fixed 18 bytes stay, with a thumbnail of 0 by 0.
    if (nameOf(head) !== 'JFIF\0' || end - position < 18) return;
    const isBare = end - position === 18 && head[16] === 0 && head[17] === 0;
    if (isBare) keep(parts, position, end);
    else insert(parts, bareJfif(head));
    return;
  }
  if (isKept(marker, head)) keep(parts, position, end);
}

function isKept(marker: number, head: Buffer): boolean {
  if (marker === APP2) return head.toString('latin1', 4, 16) === 'ICC_PROFILE\0';
  if (marker === APP14) return nameOf(head) === 'Adobe';
  return marker !== COM && (marker < APP0 || marker > APP15);
}

/** Where the entropy-coded bytes that start at `position` end: at the next marker that is not a restart. */
async function endOfScan(bytes: ByteWindow, position: number): Promise<number> {
  let start = position;
  while (true) {
    const chunk = await bytes.from(start, 2);
    let at = chunk.indexOf(0xff);
    while (at !== -1 && at + 1 < chunk.length) {
      const next = chunk[at + 1]!;
      if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return start + at;
      at = chunk.indexOf(0xff, next === 0xff ? at + 1 : at + 2);
    }
    if (chunk.length < 2) throw new OddStructure('no end');
    start += at === -1 ? chunk.length : at;
  }
}

function exifSegment(orientation: number): Buffer {
  const exif = orientationExif(orientation);
  const segment = Buffer.concat([Buffer.from([0xff, APP1, 0, 0]), Buffer.from('Exif\0\0', 'latin1'), exif]);
  segment.writeUInt16BE(segment.length - 2, 2);
  return segment;
}

function bareJfif(head: Buffer): Buffer {
  const bare = Buffer.from(head.subarray(0, 18));
  bare.writeUInt16BE(16, 2);
  bare.fill(0, 16);
  return bare;
}

function nameOf(head: Buffer): string {
  return head.toString('latin1', 4, 9);
}

function isWithoutLength(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= SOI);
}
