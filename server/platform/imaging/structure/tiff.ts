import type { ByteWindow } from '../clean/byte-window.ts';
import { ImageError } from '../errors.ts';
import { structureBounds } from './bounds.ts';
import { bytesByTiffType, createExifCheck } from './exif.ts';
import { checkColorProfileBytes } from './profile.ts';
import { createAmountLimit, damagedFileError, tooLargeImageError } from './refusals.ts';
import type { PictureStructure } from './structure.ts';

const entryBytes = 12;
const shortType = 3;
const longType = 4;

const tiffTags = {
  newSubfileType: 254,
  width: 256,
  height: 257,
  bitsPerSample: 258,
  photometric: 262,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  planar: 284,
  tileWidth: 322,
  tileHeight: 323,
  subDirectories: 330,
  exif: 0x8769,
  gps: 0x8825,
  profile: 34_675,
  dngVersion: 0xc612,
};
const separatedInks = 5;

interface Entry {
  tag: number;
  type: number;
  count: number;
  /** First value of the entry if the entry itself holds it, else the position of the values. */
  value: number;
}

interface Tiff {
  bytes: ByteWindow;
  isLittleEndian: boolean;
}

type Directory = Map<number, Entry>;

/**
 * Reads the structure of a TIFF. Throws ImageError, with 'format' also for a camera's raw file, because a TIFF reader
 * would show only its small preview.
 */
export async function readTiffStructure(bytes: ByteWindow): Promise<PictureStructure> {
  const head = await bytes.from(0, 8);
  const tiff = { bytes, isLittleEndian: head[0] === 0x49 };
  const start = head.length < 8 ? 0 : decodeUint32(tiff, head, 4);
  await checkDirectories(tiff, start);
  const directory = await readFirst(tiff, start);
  if (isRaw(directory)) throw new ImageError('format', 'Camera raw files are not accepted');
  checkColorProfileBytes(directory.get(tiffTags.profile)?.count ?? 0);
  createAmountLimit(
    structureBounds.tiffSubDirectories,
    'it has too many directories',
  )(directory.get(tiffTags.subDirectories)?.count ?? 0);
  await checkExif(tiff, directory);
  return await describeDirectory(tiff, directory);
}

/** Checks the chain of a TIFF's pages, which may form a loop. */
async function checkDirectories(tiff: Tiff, start: number): Promise<void> {
  const count = createDirectoryCount(tiff.bytes.size);
  for (let position = start; position !== 0; ) {
    count.page(position);
    const { entries, next } = await readDirectory(tiff, position);
    count.entries(entries);
    position = next;
  }
}

function createDirectoryCount(size: number) {
  const why = 'its pages have too many entries';
  const countPage = createAmountLimit(
    structureBounds.tiffPages,
    `it has more than ${structureBounds.tiffPages} pages`,
  );
  const countEntries = createAmountLimit(structureBounds.tiffEntriesInAll, why);
  const valueBytesInAll = structureBounds.tiffValueBytes + structureBounds.tiffValuesPerByte * size;
  const countBytes = createAmountLimit(valueBytesInAll, 'its entries share their bytes');
  const seen = new Set<number>();
  return {
    page(position: number): void {
      countPage();
      if (seen.has(position)) throw tooLargeImageError('its pages refer back to an earlier page');
      seen.add(position);
    },
    entries(entries: Entry[]): void {
      createAmountLimit(structureBounds.tiffEntries, why)(entries.length);
      countEntries(entries.length);
      for (const { type, count, value } of entries) {
        const bytes = (bytesByTiffType[type] ?? 0) * count;
        // libtiff does not read values past the file's end.
        if (bytes > 4 && value + bytes <= size) countBytes(bytes);
      }
    },
  };
}

/** Returns the directory's entries and the position of the next directory, 0 if there is none. */
async function readDirectory(tiff: Tiff, position: number): Promise<{ entries: Entry[]; next: number }> {
  const head = await tiff.bytes.from(position, 2);
  const count = head.length < 2 ? 0 : decodeUint16(tiff, head, 0);
  const length = 2 + count * entryBytes;
  const bytes = (await tiff.bytes.from(position, length + 4)).subarray(0, length + 4);
  const entries: Entry[] = [];
  for (let at = 2; at + entryBytes <= Math.min(bytes.length, length); at += entryBytes) {
    const [tag, type] = [decodeUint16(tiff, bytes, at), decodeUint16(tiff, bytes, at + 2)];
    const values = decodeUint32(tiff, bytes, at + 4);
    const isShort = type === shortType && values <= 2;
    const value = isShort ? decodeUint16(tiff, bytes, at + 8) : decodeUint32(tiff, bytes, at + 8);
    entries.push({ tag, type, count: values, value });
  }
  return { entries, next: bytes.length < length + 4 ? 0 : decodeUint32(tiff, bytes, length) };
}

/** Returns a directory with the first entry of each tag, like libtiff. */
async function readFirst(tiff: Tiff, position: number): Promise<Directory> {
  const { entries } = await readDirectory(tiff, position);
  return new Map(entries.toReversed().map((entry) => [entry.tag, entry]));
}

function isRaw(directory: Directory): boolean {
  const subfile = directory.get(tiffTags.newSubfileType);
  const isReduced = subfile?.type === longType && (subfile.value & 1) === 1;
  return isReduced || directory.has(tiffTags.dngVersion);
}

/** Checks the Exif directories. libtiff does not follow these two pointers, but our own Exif reader does. */
async function checkExif({ bytes, isLittleEndian }: Tiff, directory: Directory): Promise<void> {
  const exif = createExifCheck();
  for (const tag of [tiffTags.exif, tiffTags.gps]) {
    const entry = directory.get(tag);
    if (entry) await exif.checkDirectory({ block: bytes, base: 0, isLittleEndian, position: entry.value });
  }
}

async function describeDirectory(tiff: Tiff, directory: Directory): Promise<PictureStructure> {
  const number = (tag: number, otherwise: number) => directory.get(tag)?.value ?? otherwise;
  const [width, height] = [number(tiffTags.width, 0), number(tiffTags.height, 0)];
  const samples = number(tiffTags.samplesPerPixel, 1);
  const tile = { width: number(tiffTags.tileWidth, width), height: number(tiffTags.tileHeight, height) };
  const across = Math.ceil(width / tile.width);
  const down = Math.ceil(
    height / (directory.has(tiffTags.tileHeight) ? tile.height : number(tiffTags.rowsPerStrip, height)),
  );
  const planes = number(tiffTags.planar, 1) === 2 ? samples : 1;
  // Each strip or tile has a position, a length, and bytes of its own in the file.
  if (!(across * down * planes <= tiff.bytes.size)) throw damagedFileError('more strips or tiles than bytes');
  const isTiled = directory.has(tiffTags.tileWidth);
  const isSeparated = directory.get(tiffTags.photometric)?.value === separatedInks;
  return {
    format: 'tiff',
    width,
    height,
    frames: 1,
    decodedPixels: isTiled ? across * tile.width * down * tile.height : width * height,
    sampleBytes: (samples * (await readDepth(tiff, directory))) / 8,
    isProgressive: false,
    hasAlpha: samples === 2 || samples > 4 || (samples === 4 && !isSeparated),
  };
}

/** Returns the number of bits of the first sample of a TIFF. */
async function readDepth(tiff: Tiff, directory: Directory): Promise<number> {
  const entry = directory.get(tiffTags.bitsPerSample);
  if (!entry) return 1;
  if (entry.count <= 2) return entry.value;
  const bytes = await tiff.bytes.from(entry.value, 2);
  return bytes.length < 2 ? 8 : decodeUint16(tiff, bytes, 0);
}

function decodeUint16(tiff: Tiff, bytes: Buffer, at: number): number {
  return tiff.isLittleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
}

function decodeUint32(tiff: Tiff, bytes: Buffer, at: number): number {
  return tiff.isLittleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
}
