import type { ByteWindow } from '../clean/byte-window.ts';
import { structureBounds } from './bounds.ts';
import { createAmountLimit, tooLargeImageError } from './refusals.ts';

const entryBytes = 12;
/** Number of Exif entries that are read at once. */
const entriesPerRead = 1_000;

const exifPointer = 0x8769;
const gpsPointer = 0x8825;
const interoperabilityPointer = 0xa005;
const directoryPointerTags = new Set([exifPointer, gpsPointer, interoperabilityPointer]);

/** Bytes of a value by TIFF type. Readers skip entries of any other type. */
export const bytesByTiffType = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

/** A directory in an Exif block, which is a small TIFF. */
export interface ExifDirectory {
  block: ByteWindow;
  /** Position of the TIFF in the block. All positions inside the TIFF are relative to this one. */
  base: number;
  isLittleEndian: boolean;
  /** Position of the directory, relative to `base`. */
  position: number;
}

export type ExifCheck = ReturnType<typeof createExifCheck>;

/**
 * Creates a check that counts the work of an Exif reader over all blocks of a file. Like libexif, the check follows
 * every pointer, repeatedly if pointers meet or form a loop. Both functions throw ImageError ('too-large') beyond the
 * limits.
 */
export function createExifCheck() {
  const why = 'its Exif data has too many entries';
  const countDirectory = createAmountLimit(
    structureBounds.exifDirectories,
    'its Exif directories refer to each other',
  );
  const countSlots = createAmountLimit(structureBounds.exifSlots, why);
  const countEntry = createAmountLimit(structureBounds.exifEntries, why);
  const countBytes = createAmountLimit(
    structureBounds.exifValueBytes,
    'its Exif data repeats too many values',
  );

  /** Checks a block with or without the prefix `Exif\0\0`. Any other data passes, because no reader parses it. */
  async function checkBlock(block: ByteWindow): Promise<void> {
    const start = (await block.from(0, 6)).toString('latin1', 0, 6);
    const base = start === 'Exif\0\0' ? 6 : 0;
    const head = await block.from(base, 8);
    const order = head.toString('latin1', 0, 2);
    if (head.length < 8 || (order !== 'II' && order !== 'MM')) return;
    const isLittleEndian = order === 'II';
    const tiff = { block, base, isLittleEndian };
    const first = isLittleEndian ? head.readUInt32LE(4) : head.readUInt32BE(4);
    const next = await checkDirectory({ ...tiff, position: first });
    // The second directory describes the thumbnail. No Exif reader goes further.
    if (next !== 0) await checkDirectory({ ...tiff, position: next });
  }

  /**
   * Checks a directory and the directories it points at. Returns the position of the next directory, or 0 if there is
   * none.
   */
  async function checkDirectory(first: ExifDirectory): Promise<number> {
    const due = [first];
    for (let directory = due.pop(); directory; directory = due.pop()) {
      countDirectory();
      due.push(...(await checkEntries(directory)));
    }
    return await readNext(first);
  }

  async function checkEntries(directory: ExifDirectory): Promise<ExifDirectory[]> {
    const { block, base, position } = directory;
    const start = base + position + 2;
    const count = Math.min(await readCount(directory), Math.floor((block.size - start) / entryBytes));
    const found = new Map<number, ExifDirectory>();
    for (let index = 0; index < count; index += entriesPerRead) {
      const slots = Math.min(entriesPerRead, count - index);
      countSlots(slots);
      const bytes = await block.from(start + index * entryBytes, slots * entryBytes);
      for (let at = 0; at < slots * entryBytes && at + entryBytes <= bytes.length; at += entryBytes)
        checkEntry(directory, bytes, at, found);
    }
    return [...found.values()];
  }

  function checkEntry(
    directory: ExifDirectory,
    bytes: Buffer,
    at: number,
    found: Map<number, ExifDirectory>,
  ): void {
    const { block, base, isLittleEndian } = directory;
    const tag = isLittleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
    const type = isLittleEndian ? bytes.readUInt16LE(at + 2) : bytes.readUInt16BE(at + 2);
    const count = isLittleEndian ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4);
    const value = isLittleEndian ? bytes.readUInt32LE(at + 8) : bytes.readUInt32BE(at + 8);
    if (directoryPointerTags.has(tag)) {
      if (base + value >= block.size) return;
      if (found.has(tag)) throw tooLargeImageError('its Exif data has a directory twice');
      found.set(tag, { ...directory, position: value });
      return;
    }
    const size = (bytesByTiffType[type] ?? 0) * count;
    if (size === 0 || (size > 4 && base + value + size > block.size)) return;
    countEntry();
    countBytes(size);
  }

  return { checkBlock, checkDirectory };
}

async function readCount({ block, base, position, isLittleEndian }: ExifDirectory): Promise<number> {
  const bytes = await block.from(base + position, 2);
  if (bytes.length < 2) return 0;
  return isLittleEndian ? bytes.readUInt16LE(0) : bytes.readUInt16BE(0);
}

async function readNext(directory: ExifDirectory): Promise<number> {
  const { block, base, position, isLittleEndian } = directory;
  const end = position + 2 + (await readCount(directory)) * entryBytes;
  const bytes = await block.from(base + end, 4);
  if (bytes.length < 4) return 0;
  return isLittleEndian ? bytes.readUInt32LE(0) : bytes.readUInt32BE(0);
}
