/** Finds the places in a file that hold a picture's width and height, and sets extreme values there. */
import type { Random } from '../../test/support/random.ts';
import { mendSums, pngStart } from './png-sums.ts';

/** A number in a picture file, such as a width. */
interface Field {
  readonly value: number;
  readonly largest: number;
  set(value: number): void;
}

export interface Size {
  width: Field;
  height: Field;
}

/** Values around which code that reads or holds a side may break. */
const limits = [2 ** 14, 2 ** 15, 2 ** 16, 2 ** 20, 2 ** 24, 50_000_000, 2 ** 31, 2 ** 32 - 1];
/** A tiny side, so that the other can have millions of pixels below a limit of total pixels. */
const tiny = 4;

/**
 * Makes one or both sides extreme, in all places or only in one, so that they contradict each other. Returns
 * false if no side was found.
 */
export function makeExtreme(random: Random, bytes: Buffer): boolean {
  const all = sizesIn(bytes);
  if (all.length === 0) return false;
  const chosen = random.chance(0.7) ? all : [random.pick(all)];
  const first = chosen[0]!;
  const which = random.pick(['width', 'height', 'both'] as const);
  const side = (name: 'width' | 'height') => {
    const { value } = first[name];
    if (which === name || which === 'both') return extreme(random, value);
    return random.chance(0.6) ? 1 + random.below(tiny) : value;
  };
  const [width, height] = [side('width'), side('height')];
  for (const size of chosen) {
    size.width.set(Math.min(width, size.width.largest));
    size.height.set(Math.min(height, size.height.largest));
  }
  mendSums(bytes);
  return true;
}

function extreme(random: Random, value: number): number {
  if (random.chance(0.5)) return value * 2 ** (1 + random.below(25));
  return random.pick(limits) + random.below(3) - 1;
}

/**
 * Returns all sizes in a file, which may be damaged; no place lies outside. The whole picture's size comes
 * first if the format has one.
 */
export function sizesIn(bytes: Buffer): Size[] {
  const is = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;
  if (bytes.subarray(0, pngStart.length).equals(pngStart)) return findPngSizes(bytes);
  if (is('GIF8')) return findGifSizes(bytes);
  if (is('\xff\xd8')) return findJpegSizes(bytes);
  if (is('RIFF') && is('WEBP', 8)) return findWebpSizes(bytes, 12, bytes.length);
  if (is('II*\0') || is('MM\0*')) return findTiffSizes(bytes);
  if (is('ftyp', 4)) return findHeifSizes(bytes);
  return [];
}

/** Returns the size in the header, and the sizes of an animation's frames. */
function findPngSizes(bytes: Buffer): Size[] {
  const before: Record<string, number> = { IHDR: 0, fcTL: 4 };
  const sizes: Size[] = [];
  for (let at = pngStart.length; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const skipped = before[bytes.toString('latin1', at + 4, at + 8)];
    if (skipped !== undefined) sizes.push(...bigEndian(bytes, at + 8 + skipped, 4));
  }
  return sizes;
}

/** Returns the sizes of a GIF's screen and frames. */
function findGifSizes(bytes: Buffer): Size[] {
  const sizes = littleEndian(bytes, 6, 2);
  const tableBytes = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + tableBytes(bytes[10]);
  while (at < bytes.length && bytes[at] !== 0x3b) {
    if (bytes[at] === 0x2c) {
      sizes.push(...littleEndian(bytes, at + 5, 2));
      at += 11 + tableBytes(bytes[at + 9]);
    } else at += 2;
    while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1;
    at++;
  }
  return sizes;
}

/** Returns the sizes in a JPEG, whose height comes before the width. */
function findJpegSizes(bytes: Buffer): Size[] {
  const sizes: Size[] = [];
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      sizes.push(
        ...bigEndian(bytes, at + 5, 2).map(({ width, height }) => ({ width: height, height: width })),
      );
  }
  return sizes;
}

/** Returns the sizes of the canvas, the frames and the pictures inside them. */
function findWebpSizes(bytes: Buffer, from: number, to: number): Size[] {
  const sizes: Size[] = [];
  for (let at = from; at + 8 <= to; ) {
    const data = at + 8;
    const end = Math.min(to, data + bytes.readUInt32LE(at + 4));
    const name = bytes.toString('latin1', at, at + 4);
    if (name === 'VP8X') sizes.push(...lessOne(bytes, data + 4));
    if (name === 'VP8 ') sizes.push(...packed(bytes, data + 6, { bits: 14, second: 16, added: 0 }));
    if (name === 'VP8L') sizes.push(...packed(bytes, data + 1, { bits: 14, second: 14, added: 1 }));
    if (name === 'ANMF') sizes.push(...lessOne(bytes, data + 6), ...findWebpSizes(bytes, data + 16, end));
    at = end + (end & 1);
  }
  return sizes;
}

/** Reads two numbers of 24 bits, each one less than the side. */
function lessOne(bytes: Buffer, at: number): Size[] {
  return littleEndian(bytes, at, 3).map(({ width, height }) => ({
    width: oneLess(width),
    height: oneLess(height),
  }));
}

function oneLess(field: Field): Field {
  return {
    value: field.value + 1,
    largest: field.largest + 1,
    set: (value) => field.set(Math.max(0, value - 1)),
  };
}

/**
 * Reads two numbers in 32 bits; the second starts at bit `second`. Each number is less than its side by
 * `added`.
 */
function packed(
  bytes: Buffer,
  at: number,
  { bits, second, added }: { bits: number; second: number; added: number },
): Size[] {
  if (at + 4 > bytes.length) return [];
  const largest = 2 ** bits - 1;
  const field = (shift: number): Field => ({
    value: ((bytes.readUInt32LE(at) >>> shift) & largest) + added,
    largest: largest + added,
    set(value) {
      const others = bytes.readUInt32LE(at) & ~(largest << shift);
      bytes.writeUInt32LE((others | (Math.max(0, value - added) << shift)) >>> 0, at);
    },
  });
  return [{ width: field(0), height: field(second) }];
}

const [widthTag, heightTag] = [256, 257];
const [shortType, longType] = [3, 4];
const maxDirectories = 20;

/** Returns the size of each page of a TIFF. */
function findTiffSizes(bytes: Buffer): Size[] {
  const isLittle = bytes[0] === 0x49;
  const read = (at: number, size: 2 | 4) =>
    isLittle ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  const write = (value: number, at: number, size: 2 | 4) =>
    isLittle ? bytes.writeUIntLE(value, at, size) : bytes.writeUIntBE(value, at, size);
  const field = (entry: number): Field => ({
    value: read(entry + 8, read(entry + 2, 2) === shortType ? 2 : 4),
    largest: 2 ** 32 - 1,
    set(value) {
      // A 16-bit field becomes a 32-bit field, so that it can hold the extreme value.
      write(longType, entry + 2, 2);
      write(value, entry + 8, 4);
    },
  });
  const sizes: Size[] = [];
  let at = bytes.length < 8 ? 0 : read(4, 4);
  for (let count = 0; count < maxDirectories && at >= 8 && at + 2 <= bytes.length; count++) {
    const end = at + 2 + read(at, 2) * 12;
    if (end + 4 > bytes.length) break;
    const sides = new Map<number, Field>();
    for (let entry = at + 2; entry < end; entry += 12) sides.set(read(entry, 2), field(entry));
    const [width, height] = [sides.get(widthTag), sides.get(heightTag)];
    if (width && height) sizes.push({ width, height });
    at = read(end, 4);
  }
  return sizes;
}

/** Returns the sizes in AVIF and HEIC: the picture, its tiles, its alpha channel and its preview. */
function findHeifSizes(bytes: Buffer): Size[] {
  const sizes: Size[] = [];
  for (let at = bytes.indexOf('ispe'); at >= 0; at = bytes.indexOf('ispe', at + 4))
    sizes.push(...bigEndian(bytes, at + 8, 4));
  return sizes;
}

type Bytes = 2 | 3 | 4;

/** Reads two consecutive numbers, or none if the file ends before. */
function bigEndian(bytes: Buffer, at: number, size: Bytes): Size[] {
  const field = (place: number): Field => ({
    value: bytes.readUIntBE(place, size),
    largest: 256 ** size - 1,
    set: (value) => void bytes.writeUIntBE(value, place, size),
  });
  return at + size * 2 > bytes.length ? [] : [{ width: field(at), height: field(at + size) }];
}

function littleEndian(bytes: Buffer, at: number, size: Bytes): Size[] {
  const field = (place: number): Field => ({
    value: bytes.readUIntLE(place, size),
    largest: 256 ** size - 1,
    set: (value) => void bytes.writeUIntLE(value, place, size),
  });
  return at + size * 2 > bytes.length ? [] : [{ width: field(at), height: field(at + size) }];
}
