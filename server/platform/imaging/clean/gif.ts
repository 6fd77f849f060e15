import type { ByteWindow } from './byte-window.ts';
import {
  addLiteralBytes,
  addOriginalRange,
  type CleanPart,
  createParsingStepLimit,
  UnexpectedStructure,
} from './parts.ts';

const extensionBlock = 0x21;
export const gifImageBlock = 0x2c;
export const gifTrailer = 0x3b;
const graphicControl = 0xf9;
const commentBlock = 0xfe;
const applicationBlock = 0xff;

/** Names of extensions that hold the number of loops. Each has exactly 19 bytes. */
const loopExtensions = ['NETSCAPE2.0', 'ANIMEXTS1.0'];
const loopBytes = 19;

/** Returns the pieces with frames, timing and looping. Drops comments, XMP, and all bytes after the trailer. */
export async function cleanGif(bytes: ByteWindow): Promise<CleanPart[]> {
  const parts: CleanPart[] = [];
  const screen = await bytes.from(0, 13);
  let position = 13 + countColorTableBytes(screen[10]);
  const countStep = createParsingStepLimit(bytes.size);
  addOriginalRange(parts, 0, position);
  while (true) {
    const head = await bytes.from(position, loopBytes);
    if (head[0] === gifTrailer) {
      addOriginalRange(parts, position, position + 1);
      return parts;
    }
    const end = await findGifBlockEnd(bytes, position, head);
    countStep();
    if (isControl(head)) addControl(parts, head, position, end);
    else if (isKept(head, end - position)) addOriginalRange(parts, position, end);
    position = end;
  }
}

export async function findGifBlockEnd(bytes: ByteWindow, position: number, head: Buffer): Promise<number> {
  if (head[0] === extensionBlock) return await findSubBlocksEnd(bytes, position + 2);
  if (head[0] !== gifImageBlock) throw new UnexpectedStructure('no block');
  return await findSubBlocksEnd(bytes, position + 10 + countColorTableBytes(head[9]) + 1);
}

function isControl(head: Buffer): boolean {
  return head[0] === extensionBlock && head[1] === graphicControl;
}

const controlBytes = 8;

/**
 * Adds a graphic control block, which has one sub-block of four bytes. Additional sub-blocks are invisible data and are
 * dropped.
 */
function addControl(parts: CleanPart[], head: Buffer, position: number, end: number): void {
  if (head[2] !== 4) throw new UnexpectedStructure('a control of another size');
  if (end - position === controlBytes) addOriginalRange(parts, position, end);
  else addLiteralBytes(parts, Buffer.concat([head.subarray(0, controlBytes - 1), Buffer.alloc(1)]));
}

function isKept(head: Buffer, length: number): boolean {
  if (head[0] === gifImageBlock) return true;
  if (head[1] === commentBlock) return false;
  // Other extensions, such as text drawn by the viewer, affect the timing. GIFs with such extensions are rare, so they
  // are rendered instead of cleaned.
  if (head[1] !== applicationBlock) throw new UnexpectedStructure('an unknown extension');
  return loopExtensions.includes(head.toString('latin1', 3, 14)) && length === loopBytes;
}

async function findSubBlocksEnd(bytes: ByteWindow, position: number): Promise<number> {
  let start = position;
  while (true) {
    const chunk = await bytes.from(start, 1);
    if (chunk.length === 0) throw new UnexpectedStructure('no trailer');
    let at = 0;
    while (at < chunk.length) {
      const length = chunk[at]!;
      at += 1 + length;
      if (length === 0) return start + at;
    }
    start += at;
  }
}

export function countColorTableBytes(flags: number | undefined): number {
  if (flags === undefined) throw new UnexpectedStructure('cut short');
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}
