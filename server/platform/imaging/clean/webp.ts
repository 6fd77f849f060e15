import type { ByteWindow } from './byte-window.ts';
import { cleanIcc } from './icc.ts';
import {
  addLiteralBytes,
  addOriginalRange,
  type CleanPart,
  countCleanCopyBytes,
  createParsingStepLimit,
  orientationExif,
  UnexpectedStructure,
} from './parts.ts';

const keptChunks = new Set(['VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF']);
const keptInFrame = new Set(['VP8 ', 'VP8L', 'ALPH']);

/** Flags in the VP8X chunk that announce Exif and XMP. */
const exifFlag = 0x08;
const xmpFlag = 0x04;

const riffHeadBytes = 12;
const anmfHeadBytes = 16;

interface Chunk {
  type: string;
  start: number;
  data: number;
  dataEnd: number;
  end: number;
}

/**
 * Returns the visible chunks with corrected sizes and flags. Drops Exif, XMP, unknown chunks, and all bytes after the
 * end.
 */
export async function cleanWebp(bytes: ByteWindow, orientation: number): Promise<CleanPart[]> {
  const parts: CleanPart[] = [];
  const riff = await bytes.from(0, riffHeadBytes);
  const end = 8 + riff.readUInt32LE(4);
  if (end > bytes.size) throw new UnexpectedStructure('cut short');
  const countStep = createParsingStepLimit(bytes.size);
  const checkPicture = createPictureCheck();
  for (let position = riffHeadBytes; position < end; ) {
    const chunk = await chunkAt(bytes, position, end);
    checkPicture(chunk.type);
    if (chunk.type === 'VP8X') addLiteralBytes(parts, await patchVp8x(bytes, chunk, orientation));
    if (chunk.type === 'ANMF') await checkFrame(bytes, chunk);
    countStep();
    if (chunk.type === 'ICCP') await addProfile(parts, bytes, chunk);
    else if (chunk.type === 'ANIM' && chunk.dataEnd - chunk.data !== 6)
      throw new UnexpectedStructure('ANIM of another size');
    else if (keptChunks.has(chunk.type)) addOriginalRange(parts, chunk.start, chunk.end);
    position = chunk.end;
  }
  if (orientation !== 1) addLiteralBytes(parts, exifChunk(orientation));
  return [riffHead(4 + countCleanCopyBytes(parts)), ...parts];
}

const maxProfileBytes = 64 * 1024;

async function addProfile(parts: CleanPart[], bytes: ByteWindow, chunk: Chunk): Promise<void> {
  const size = chunk.dataEnd - chunk.data;
  if (size > maxProfileBytes) throw new UnexpectedStructure('a large profile');
  const clean = cleanIcc((await bytes.from(chunk.data, size)).subarray(0, size));
  if (!clean) {
    addOriginalRange(parts, chunk.start, chunk.end);
    return;
  }
  const head = Buffer.from('ICCP\0\0\0\0', 'latin1');
  head.writeUInt32LE(clean.length, 4);
  addLiteralBytes(parts, Buffer.concat([head, clean])); // The length of a cleaned profile is always even.
}

async function chunkAt(bytes: ByteWindow, start: number, limit: number): Promise<Chunk> {
  const head = await bytes.from(start, 8);
  if (head.length < 8) throw new UnexpectedStructure('no chunk');
  const dataEnd = start + 8 + head.readUInt32LE(4);
  const end = dataEnd + (dataEnd & 1); // Chunks of a WebP are padded to even positions.
  if (end > limit) throw new UnexpectedStructure('a chunk past the end');
  return { type: head.toString('latin1', 0, 4), start, data: start + 8, dataEnd, end };
}

/**
 * Returns a check for the order of chunks. A still or a frame has one picture with its alpha channel before it;
 * decoders skip further ones, which could hide data.
 */
function createPictureCheck(): (type: string) => void {
  let seen = '';
  return (type) => {
    const isPicture = keptInFrame.has(type) || type === 'ANMF';
    const isNext =
      seen === '' || (seen === 'ALPH' && type === 'VP8 ') || (seen === 'ANMF' && type === 'ANMF');
    if (isPicture && !isNext) throw new UnexpectedStructure(`${type} after ${seen}`);
    if (isPicture) seen = type;
  };
}

/** Checks the chunks inside a frame. Any chunk except its picture would be hidden data. */
async function checkFrame(bytes: ByteWindow, frame: Chunk): Promise<void> {
  const checkPicture = createPictureCheck();
  let position = frame.data + anmfHeadBytes;
  while (position < frame.dataEnd) {
    const chunk = await chunkAt(bytes, position, frame.end);
    if (!keptInFrame.has(chunk.type)) throw new UnexpectedStructure(`${chunk.type} in a frame`);
    checkPicture(chunk.type);
    position = chunk.end;
  }
}

async function patchVp8x(bytes: ByteWindow, chunk: Chunk, orientation: number): Promise<Buffer> {
  if (chunk.dataEnd - chunk.data !== 10) throw new UnexpectedStructure('VP8X of another size');
  const patched = Buffer.from((await bytes.from(chunk.start, 18)).subarray(0, 18));
  const flags = patched[8]! & ~(exifFlag | xmpFlag);
  patched[8] = orientation === 1 ? flags : flags | exifFlag;
  return patched;
}

function exifChunk(orientation: number): Buffer {
  const exif = orientationExif(orientation);
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
  head.writeUInt32LE(exif.length, 4);
  return Buffer.concat([head, exif]);
}

function riffHead(size: number): CleanPart {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(size, 4);
  return { base64: head.toString('base64') };
}
