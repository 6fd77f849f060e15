import {
  countTiffValues,
  type OpenedTiff,
  readTiffDirectory,
  readTiffUint32,
  readTiffValue,
  type TiffEntry,
  withOpenedTiff,
} from './tiff-directory.ts';

const exifDirectory = 0x8769;
const gpsDirectory = 0x8825;
const longType = 4;

/**
 * Tags of description, maker, model, time of change, and those of Windows: rating, its percentage, title, comment,
 * keywords.
 */
const pictureTags = [0x010e, 271, 272, 0x0132, 0x4746, 0x4749, 0x9c9b, 0x9c9c, 0x9c9e];
/**
 * Tags of exposure, aperture, sensitivities, times and their offsets, focal length and lens. The sensitivity has four
 * tags, because large values do not fit into the first one.
 */
const exposureTags = [
  0x829a, 0x829d, 0x8827, 0x8831, 0x8832, 0x8833, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x920a, 0xa434,
];
/** Tags of latitude and longitude, each after the tag of its hemisphere, and of time and date. */
const gpsTags = [1, 2, 3, 4, 7, 0x1d];

/** Tags with long texts. */
const longTags = new Set([0x010e, 0x9c9b, 0x9c9c, 0x9c9e]);
/** Maximum bytes copied of one value: enough for any camera's name, and for 2,000 characters of a long text. */
const valueBytes = 256;
const longValueBytes = 8_000;

/**
 * Returns the wanted Exif tags of a TIFF file or an Exif block as a small new block. In a file the tags may lie
 * anywhere, and reading single tags takes a few hundred bytes. A block may have thousands of entries that point at the
 * same 60 KB. ExifReader does not get such entries, because reading 3,000 of them takes 33 ms.
 */
export async function readTiffTags(input: string | Buffer): Promise<Buffer | undefined> {
  return await withOpenedTiff(input, async (tiff, firstIfd) => {
    const directory = await readTiffDirectory(tiff, firstIfd);
    // Some scanners write tags of the Exif directory into the first one.
    const own = (await readDirectoryBehind(tiff, directory.get(exifDirectory))) ?? [];
    const exif = new Map([...directory, ...own]);
    const gps = await readDirectoryBehind(tiff, directory.get(gpsDirectory));
    return writeBlock(tiff, await pickEntries(tiff, directory, pictureTags), [
      { tag: exifDirectory, values: await pickEntries(tiff, exif, exposureTags) },
      { tag: gpsDirectory, values: gps ? await pickEntries(tiff, gps, gpsTags) : [] },
    ]);
  });
}

async function readDirectoryBehind(tiff: OpenedTiff, pointer: TiffEntry | undefined) {
  return pointer && (await readTiffDirectory(tiff, readTiffUint32(tiff, pointer.field, 0)));
}

interface PickedEntry {
  entry: TiffEntry;
  value: Buffer;
}

async function pickEntries(
  tiff: OpenedTiff,
  entries: Map<number, TiffEntry>,
  tags: number[],
): Promise<PickedEntry[]> {
  const picked: PickedEntry[] = [];
  for (const tag of tags) {
    const entry = entries.get(tag);
    const max = longTags.has(tag) ? longValueBytes : valueBytes;
    if (entry) picked.push({ entry, value: await readTiffValue(tiff, entry, max) });
  }
  return picked;
}

interface Directory {
  /** TIFF tag of the entry that points at the directory. */
  tag: number;
  values: PickedEntry[];
}

/** Writes the first directory with its values, and an entry for each of the other directories, which follow it. */
function writeBlock(tiff: OpenedTiff, first: PickedEntry[], others: Directory[]): Buffer {
  const firstBytes = directoryBytes(first) + others.length * 12;
  const block = Buffer.alloc(
    8 + others.reduce((bytes, { values }) => bytes + directoryBytes(values), firstBytes),
  );
  block.write(tiff.isLittleEndian ? 'II*\0' : 'MM\0*', 'latin1');
  write32(tiff, block, 8, 4);
  let at = 8 + firstBytes;
  const pointers = others.map(({ tag, values }) => {
    const value = Buffer.alloc(4);
    write32(tiff, value, at, 0);
    writeDirectory(tiff, block, values, at);
    at += directoryBytes(values);
    return { entry: { tag, type: longType, count: 1, field: value }, value };
  });
  writeDirectory(tiff, block, [...first, ...pointers], 8);
  return block;
}

/**
 * Returns the size of a directory in bytes: a count, the entries, the position of a next directory, and the values. No
 * next directory exists.
 */
function directoryBytes(values: PickedEntry[]): number {
  return 2 + values.length * 12 + 4 + values.reduce((bytes, { value }) => bytes + value.length, 0);
}

function writeDirectory(tiff: OpenedTiff, block: Buffer, values: PickedEntry[], at: number): void {
  write16(tiff, block, values.length, at);
  let valueAt = at + 2 + values.length * 12 + 4;
  for (const [index, picked] of values.entries()) {
    writeEntry(tiff, block, picked, at + 2 + index * 12, valueAt);
    if (picked.value.length > 4) valueAt += picked.value.length;
  }
}

function writeEntry(
  tiff: OpenedTiff,
  block: Buffer,
  { entry, value }: PickedEntry,
  at: number,
  valueAt: number,
): void {
  write16(tiff, block, entry.tag, at);
  write16(tiff, block, entry.type, at + 2);
  write32(tiff, block, Math.min(entry.count, countTiffValues(entry, value)), at + 4);
  if (value.length > 4) write32(tiff, block, valueAt, at + 8);
  value.copy(block, value.length > 4 ? valueAt : at + 8);
}

function write16(tiff: OpenedTiff, block: Buffer, value: number, at: number): void {
  if (tiff.isLittleEndian) block.writeUInt16LE(value, at);
  else block.writeUInt16BE(value, at);
}

function write32(tiff: OpenedTiff, block: Buffer, value: number, at: number): void {
  if (tiff.isLittleEndian) block.writeUInt32LE(value, at);
  else block.writeUInt32BE(value, at);
}
