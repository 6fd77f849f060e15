import { crc32, deflateSync, inflateSync } from 'node:zlib';
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

/**
 * Visible chunks with their maximum bytes: the picture, palette, transparency, colors, density, and frames of an APNG.
 * Readers ignore bytes beyond the maximum, so a longer chunk could hide data.
 */
const keptChunks: Record<string, number> = {
  IHDR: 13,
  PLTE: 768,
  IDAT: Number.POSITIVE_INFINITY,
  IEND: 0,
  tRNS: 256,
  cHRM: 32,
  gAMA: 4,
  sBIT: 4,
  sRGB: 1,
  cICP: 4,
  mDCV: 24,
  mDCv: 24,
  cLLI: 8,
  cLLi: 8,
  bKGD: 6,
  hIST: 512,
  pHYs: 9,
  acTL: 8,
  fcTL: 26,
  fdAT: Number.POSITIVE_INFINITY,
};

/** Chunks of frames, which readers ignore if no earlier chunk announces the number of frames. */
const frameChunks = ['fcTL', 'fdAT'];

/** Maximum bytes of a PNG's color profile after inflating. */
const maxProfileBytes = 64 * 1024;

/**
 * Returns the pieces of visible chunks. Drops texts, times, Exif, private chunks, and all bytes after the end chunk.
 */
export async function cleanPng(bytes: ByteWindow, orientation: number): Promise<CleanPart[]> {
  const parts: CleanPart[] = [];
  addOriginalRange(parts, 0, 8);
  let position = 8;
  let isAnimated = false;
  const countStep = createParsingStepLimit(bytes.size);
  while (true) {
    const head = await bytes.from(position, 8);
    if (head.length < 8) throw new UnexpectedStructure('no end');
    const type = head.toString('latin1', 4, 8);
    const end = position + 12 + head.readUInt32BE(0);
    if (end > bytes.size) throw new UnexpectedStructure('a chunk past the end');
    countStep();
    const isAnimationless = frameChunks.includes(type) && !isAnimated;
    isAnimated ||= type === 'acTL';
    if (type === 'iCCP') addLiteralBytes(parts, profileChunk(await chunkData(bytes, position, end)));
    else if (isKept(type, end - position - 12) && !isAnimationless) addOriginalRange(parts, position, end);
    else if (/^[A-Z]/.test(type)) throw new UnexpectedStructure(`an unknown critical chunk ${type}`);
    if (type === 'IHDR' && orientation !== 1) addLiteralBytes(parts, exifChunk(orientation));
    if (type === 'IEND') return parts;
    position = end;
  }
}

function isKept(type: string, length: number): boolean {
  return Object.hasOwn(keptChunks, type) && length <= keptChunks[type]!;
}

async function chunkData(bytes: ByteWindow, position: number, end: number): Promise<Buffer> {
  if (end - position > maxProfileBytes) throw new UnexpectedStructure('a large profile');
  return (await bytes.from(position, end - position)).subarray(8, end - position - 4);
}

/** Rewrites the profile chunk, because its name is free text and hidden bytes may follow the compressed profile. */
function profileChunk(data: Buffer): Buffer {
  const nameEnd = data.indexOf(0);
  if (nameEnd === -1) throw new UnexpectedStructure('no profile');
  let profile: Buffer;
  try {
    profile = inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: maxProfileBytes });
  } catch {
    throw new UnexpectedStructure('no profile');
  }
  return createChunk(
    'iCCP',
    Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(cleanIcc(profile) ?? profile)]),
  );
}

function exifChunk(orientation: number): Buffer {
  return createChunk('eXIf', orientationExif(orientation));
}

function createChunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(typeAndData.length + 8);
  chunk.writeUInt32BE(typeAndData.length - 4, 0);
  typeAndData.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(typeAndData), chunk.length - 4);
  return chunk;
}
