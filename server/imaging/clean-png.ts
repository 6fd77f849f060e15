import { crc32 } from 'node:zlib';
import type { ByteWindow } from './byte-window.ts';
import { insert, keep, OddStructure, orientationExif, type Part } from './clean-parts.ts';

/** What shows: the picture, its palette and transparency, its colours, its density, and the frames of an APNG. */
const KEPT = new Set(
  (
    'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV mDCv cLLI cLLi bKGD hIST pHYs sPLT ' +
    'acTL fcTL fdAT'
  ).split(' '),
);

/** Drops texts, times, Exif, every private chunk, and what follows the end. */
export async function cleanPng(bytes: ByteWindow, orientation: number): Promise<Part[]> {
  const parts: Part[] = [];
  keep(parts, 0, 8);
  let position = 8;
  while (true) {
    const head = await bytes.from(position, 8);
    if (head.length < 8) throw new OddStructure('no end');
    const type = head.toString('latin1', 4, 8);
    const end = position + 12 + head.readUInt32BE(0);
    if (end > bytes.size) throw new OddStructure('a chunk past the end');
    if (KEPT.has(type)) keep(parts, position, end);
    else if (/^[A-Z]/.test(type)) throw new OddStructure(`an unknown critical chunk ${type}`);
    if (type === 'IHDR' && orientation !== 1) insert(parts, exifChunk(orientation));
    if (type === 'IEND') return parts;
    position = end;
  }
}

function exifChunk(orientation: number): Buffer {
  const typeAndData = Buffer.concat([Buffer.from('eXIf', 'latin1'), orientationExif(orientation)]);
  const chunk = Buffer.alloc(typeAndData.length + 8);
  chunk.writeUInt32BE(typeAndData.length - 4, 0);
  typeAndData.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(typeAndData), chunk.length - 4);
  return chunk;
}
