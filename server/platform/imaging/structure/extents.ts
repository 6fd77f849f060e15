import type { ByteWindow } from '../clean/byte-window.ts';

/** Bytes `[start, end)` of a file. */
export interface ByteExtent {
  start: number;
  end: number;
}

/** Returns bytes `[start, end)` of a window as a new window whose positions begin at 0. */
export function viewByteRange(bytes: ByteWindow, start: number, end: number): ByteWindow {
  return joinByteExtents(bytes, [{ start, end }]);
}

/**
 * Joins several byte ranges of a file into one continuous view. Parts of a range beyond the end of `bytes` are left
 * out.
 */
export function joinByteExtents(bytes: ByteWindow, extents: ByteExtent[]): ByteWindow {
  const present = extents
    .map(({ start, end }) => ({ start, end: Math.min(end, bytes.size) }))
    .filter(({ start, end }) => start < end);
  return {
    size: present.reduce((size, { start, end }) => size + end - start, 0),
    from: (position, least) => readFrom(bytes, present, position, least),
  };
}

async function readFrom(
  bytes: ByteWindow,
  extents: ByteExtent[],
  position: number,
  least: number,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let before = 0;
  let missing = least;
  for (const { start, end } of extents) {
    const skipped = Math.max(0, position - before);
    before += end - start;
    if (skipped >= end - start) continue;
    const left = end - start - skipped;
    const piece = (await bytes.from(start + skipped, Math.min(missing, left))).subarray(0, left);
    if (pieces.length === 0 && piece.length >= missing) return piece;
    pieces.push(Buffer.from(piece));
    missing -= piece.length;
    if (missing <= 0 || piece.length < left) break;
  }
  return Buffer.concat(pieces);
}

/** Copies bytes `[start, end)`, or fewer at the file's end. Callers must limit the length. */
export async function copyByteRange(bytes: ByteWindow, start: number, end: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let position = start; position < end; ) {
    const piece = (await bytes.from(position, 1)).subarray(0, end - position);
    if (piece.length === 0) break;
    pieces.push(Buffer.from(piece));
    position += piece.length;
  }
  return Buffer.concat(pieces);
}
