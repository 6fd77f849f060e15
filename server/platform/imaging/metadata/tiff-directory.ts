import { type FileHandle, open } from 'node:fs/promises';

/** An entry of a TIFF directory (IFD). `field` holds the value if it fits into four bytes, else its position. */
export interface TiffEntry {
  tag: number;
  type: number;
  count: number;
  field: Buffer;
}

/** An open TIFF: a file or a block in memory. Positions and numbers are read in its byte order. */
export interface OpenedTiff {
  source: FileHandle | Buffer;
  isLittleEndian: boolean;
}

/**
 * Maximum entries of a directory. Real directories have about thirty entries, directories of RAW files up to two
 * hundred.
 */
const maxEntries = 512;
const entryBytes = 12;
const bytesOfType: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8, 13: 4 };

export async function withOpenedTiff<T>(
  input: string | Buffer,
  read: (tiff: OpenedTiff, firstIfd: number) => Promise<T>,
): Promise<T> {
  const source = typeof input === 'string' ? await open(input) : input;
  try {
    const head = await readAt(source, 0, 8);
    const tiff = { source, isLittleEndian: head[0] === 0x49 };
    return await read(tiff, head.length < 8 ? 0 : readTiffUint32(tiff, head, 4));
  } finally {
    if (!Buffer.isBuffer(source)) await source.close();
  }
}

/**
 * Returns the entries of the directory at `position` by tag. If the file is too short, returns the entries that are
 * there.
 */
export async function readTiffDirectory(tiff: OpenedTiff, position: number): Promise<Map<number, TiffEntry>> {
  const bytes = await readAt(tiff.source, position, 2 + maxEntries * entryBytes);
  const entries = new Map<number, TiffEntry>();
  const count = bytes.length < 2 ? 0 : readUint16(tiff, bytes, 0);
  for (let index = 0; index < count; index++) {
    const at = 2 + index * entryBytes;
    if (at + entryBytes > bytes.length) break;
    const field = bytes.subarray(at + 8, at + 12);
    const [tag, type] = [readUint16(tiff, bytes, at), readUint16(tiff, bytes, at + 2)];
    entries.set(tag, { tag, type, count: readTiffUint32(tiff, bytes, at + 4), field });
  }
  return entries;
}

export async function readTiffValue(tiff: OpenedTiff, entry: TiffEntry, max: number): Promise<Buffer> {
  const bytes = (bytesOfType[entry.type] ?? 0) * entry.count;
  if (bytes <= 4) return entry.field.subarray(0, bytes);
  return await readAt(tiff.source, readTiffUint32(tiff, entry.field, 0), Math.min(bytes, max));
}

/** Returns how many values of the entry's type the bytes hold. */
export function countTiffValues({ type }: TiffEntry, bytes: Buffer): number {
  return Math.floor(bytes.length / (bytesOfType[type] ?? 1));
}

function readUint16(tiff: OpenedTiff, bytes: Buffer, at: number): number {
  return tiff.isLittleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
}

export function readTiffUint32(tiff: OpenedTiff, bytes: Buffer, at: number): number {
  return tiff.isLittleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
}

async function readAt(source: FileHandle | Buffer, position: number, length: number): Promise<Buffer> {
  if (Buffer.isBuffer(source)) return source.subarray(position, position + length);
  const { buffer, bytesRead } = await source.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
