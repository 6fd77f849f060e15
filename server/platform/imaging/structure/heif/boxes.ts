import type { ByteWindow } from '../../clean/byte-window.ts';
import { structureBounds } from '../bounds.ts';
import { copyByteRange } from '../extents.ts';
import { createAmountLimit, damagedFileError, tooLargeImageError } from '../refusals.ts';

/** A box of the ISO base media format. Positions are relative to the file. */
export interface HeifBox {
  type: string;
  /** Position of the box's content, after size and type. */
  start: number;
  end: number;
}

/**
 * Returns the boxes in `[start, end)`, up to the first invalid one. A box that exceeds `end` is cut. Throws ImageError
 * ('too-large').
 */
export async function readHeifBoxes(bytes: ByteWindow, start: number, end: number): Promise<HeifBox[]> {
  const count = createAmountLimit(structureBounds.boxes, 'it has too many boxes');
  const boxes: HeifBox[] = [];
  for (let position = start; position + 8 <= end; ) {
    const head = await bytes.from(position, 16);
    if (head.length < 8) break;
    count();
    const short = head.readUInt32BE(0);
    const headBytes = short === 1 ? 16 : 8;
    if (head.length < headBytes) break;
    const size = short === 0 ? end - position : short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (size < headBytes) break;
    const type = head.toString('latin1', 4, 8);
    boxes.push({ type, start: position + headBytes, end: Math.min(position + size, end) });
    position += size;
  }
  return boxes;
}

/**
 * Returns the only box of a type, or undefined if there is none. Throws for two boxes, because readers disagree on
 * which one counts.
 */
export function findOnlyBox(boxes: HeifBox[], type: string): HeifBox | undefined {
  const [found, second] = boxes.filter((box) => box.type === type);
  if (second) throw damagedFileError(`two boxes of ${type}`);
  return found;
}

export function getOnlyBox(boxes: HeifBox[], type: string): HeifBox {
  const box = findOnlyBox(boxes, type);
  if (!box) throw damagedFileError(`no box of ${type}`);
  return box;
}

export type HeifTableReader = ReturnType<typeof createTableReader>;

/** Reads a table into memory. Throws ImageError if the table is too large or a read goes past its end. */
export async function openHeifTable(bytes: ByteWindow, { start, end }: HeifBox): Promise<HeifTableReader> {
  if (end - start > structureBounds.tableBytes) throw tooLargeImageError('one of its tables is too large');
  return createTableReader(await copyByteRange(bytes, start, end));
}

function createTableReader(table: Buffer) {
  let position = 0;
  /** Reads an unsigned integer of 1, 2, 4 or 8 bytes. A `size` of 0 returns 0. */
  function uint(size: number): number {
    if (position + size > table.length) throw damagedFileError('a table cut short');
    const at = position;
    position += size;
    if (size === 0) return 0;
    return size === 8 ? Number(table.readBigUInt64BE(at)) : table.readUIntBE(at, size);
  }
  return {
    uint,
    skip: (size: number) => {
      position += size;
    },
    /** Reads text up to the next zero byte or the end. */
    text(): string {
      const zero = table.indexOf(0, position);
      const end = zero === -1 ? table.length : zero;
      const text = table.toString('latin1', Math.min(position, end), end);
      position = end + 1;
      return text;
    },
    characters(length: number): string {
      const text = table.toString('latin1', position, position + length);
      position += length;
      return text;
    },
    isAtEnd: () => position >= table.length,
  };
}
