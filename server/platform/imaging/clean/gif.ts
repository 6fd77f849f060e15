import type { ByteWindow } from './byte-window.ts';
import { createStepCount, insert, keep, OddStructure, type Part } from './parts.ts';

const EXTENSION = 0x21;
export const IMAGE = 0x2c;
export const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const COMMENT = 0xfe;
const APPLICATION = 0xff;

/** Both say how often to loop, in exactly 19 bytes. */
const LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0'];
const LOOP_BYTES = 19;

/** Keeps the frames, their timing and the looping. Drops comments, XMP and what follows the trailer. */
export async function cleanGif(bytes: ByteWindow): Promise<Part[]> {
  const parts: Part[] = [];
  const screen = await bytes.from(0, 13);
  let position = 13 + colorTableBytes(screen[10]);
  const countStep = createStepCount(bytes.size);
  keep(parts, 0, position);
  while (true) {
    const head = await bytes.from(position, LOOP_BYTES);
    if (head[0] === TRAILER) {
      keep(parts, position, position + 1);
      return parts;
    }
    const end = await endOfBlock(bytes, position, head);
    countStep();
    if (isControl(head)) addControl(parts, head, position, end);
    else if (isKept(head, end - position)) keep(parts, position, end);
    position = end;
  }
}

export async function endOfBlock(bytes: ByteWindow, position: number, head: Buffer): Promise<number> {
  if (head[0] === EXTENSION) return await endOfSubBlocks(bytes, position + 2);
  if (head[0] !== IMAGE) throw new OddStructure('no block');
  return await endOfSubBlocks(bytes, position + 10 + colorTableBytes(head[9]) + 1);
}

function isControl(head: Buffer): boolean {
  return head[0] === EXTENSION && head[1] === GRAPHIC_CONTROL;
}

const CONTROL_BYTES = 8;

/** One block of four bytes; what a file has in more of them, nothing shows. */
function addControl(parts: Part[], head: Buffer, position: number, end: number): void {
  if (head[2] !== 4) throw new OddStructure('a control of another size');
  if (end - position === CONTROL_BYTES) keep(parts, position, end);
  else insert(parts, Buffer.concat([head.subarray(0, CONTROL_BYTES - 1), Buffer.alloc(1)]));
}

function isKept(head: Buffer, length: number): boolean {
  if (head[0] === IMAGE) return true;
  if (head[1] === COMMENT) return false;
  // What else there is (text drawn by the viewer) takes part in the timing: rare enough to be rendered instead.
  if (head[1] !== APPLICATION) throw new OddStructure('an unknown extension');
  return LOOPS.includes(head.toString('latin1', 3, 14)) && length === LOOP_BYTES;
}

async function endOfSubBlocks(bytes: ByteWindow, position: number): Promise<number> {
  let start = position;
  while (true) {
    const chunk = await bytes.from(start, 1);
    if (chunk.length === 0) throw new OddStructure('no trailer');
    let at = 0;
    while (at < chunk.length) {
      const length = chunk[at]!;
      at += 1 + length;
      if (length === 0) return start + at;
    }
    start += at;
  }
}

export function colorTableBytes(flags: number | undefined): number {
  if (flags === undefined) throw new OddStructure('cut short');
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}
