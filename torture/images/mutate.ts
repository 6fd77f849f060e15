/** Damages a file at random: slightly, so that a decoder proceeds far before it notices, or heavily. */
import type { Random } from '../../test/support/random.ts';
import { makeExtreme } from './image-sizes.ts';
import { mendSums } from './png-sums.ts';

export interface Mutant {
  bytes: Buffer;
  /** Description of the damage for people: `bits flipped, cut`. */
  how: string;
}

type Change = (random: Random, bytes: Buffer, other: Buffer) => Buffer;

/** Values at which lengths, counts and sizes may break. */
const extremes = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe,
  0xffffffff,
];
/** Markers of a format, which lengths, sizes, tags and offsets follow. */
const marks = [
  'Exif',
  'ICC_PROFILE',
  'http://ns.adobe.com/xap',
  '<x:xmpmeta',
  'IHDR',
  'iCCP',
  'eXIf',
  'acTL',
  'fcTL',
  'IDAT',
  'VP8',
  'ANIM',
  'ANMF',
  'ALPH',
  'ispe',
  'iloc',
  'iinf',
  'ipma',
  'av1C',
  'hvcC',
  'NETSCAPE',
  '\xff\xc0',
  '\xff\xc2',
  '\xff\xda',
  '\xff\xc4',
  '\xff\xdb',
  'II*\0',
  'MM\0*',
];

const changes: Record<string, Change> = {
  'bits flipped'(random, bytes) {
    for (let count = random.pick([1, 1, 2, 4, 16, 64]); count > 0; count--) {
      const at = random.below(bytes.length);
      bytes[at]! ^= 1 << random.below(8);
    }
    return bytes;
  },
  'cut at the end': (random, bytes) =>
    bytes.subarray(0, random.chance(0.2) ? bytes.length - 1 : random.below(bytes.length)),
  'cut at the beginning': (random, bytes) => bytes.subarray(random.below(Math.min(64, bytes.length))),
  'a piece left out'(random, bytes) {
    const from = random.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + random.below(256))]);
  },
  'a piece twice'(random, bytes) {
    const from = random.below(bytes.length);
    const to = from + random.below(random.pick([16, 256, 4096]));
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  },
  'two pieces swapped'(random, bytes) {
    const length = 1 + random.below(Math.min(random.pick([16, 256, 4096]), bytes.length));
    const [from, to] = [random.below(bytes.length), random.below(bytes.length)];
    const piece = Buffer.from(bytes.subarray(from, from + length));
    bytes.copy(bytes, from, to, to + piece.length);
    piece.copy(bytes, to);
    return bytes;
  },
  'a piece of another file'(random, bytes, other) {
    const at = random.below(bytes.length);
    const from = random.below(other.length);
    const piece = other.subarray(from, from + random.below(2048));
    return Buffer.concat([
      bytes.subarray(0, at),
      piece,
      bytes.subarray(at + (random.chance(0.5) ? piece.length : 0)),
    ]);
  },
  zeros: (random, bytes) => filled(random, bytes, () => 0),
  noise: (random, bytes) => filled(random, bytes, () => random.below(256)),
  'another file behind it': (_random, bytes, other) => Buffer.concat([bytes, other]),
  'an extreme number'(random, bytes) {
    return withNumber(random, bytes, random.below(Math.min(bytes.length, random.pick([64, 512, 65_536]))));
  },
  'an extreme side': (random, bytes) =>
    makeExtreme(random, bytes) ? bytes : withNumber(random, bytes, random.below(bytes.length)),
  'an extreme number where the format has one'(random, bytes) {
    const found = marks.map((mark) => bytes.indexOf(mark, 0, 'latin1')).filter((at) => at >= 0);
    if (found.length === 0) return withNumber(random, bytes, random.below(bytes.length));
    return withNumber(random, bytes, random.pick(found) - 4 + random.below(48));
  },
  'metadata overwritten'(random, bytes) {
    const at = ['Exif', '<x:xmpmeta', 'acsp', 'ICC_PROFILE']
      .map((mark) => bytes.indexOf(mark, 0, 'latin1'))
      .find((found) => found >= 0);
    if (at === undefined) return bytes;
    for (let count = random.pick([1, 4, 20]); count > 0; count--) {
      const place = at + random.below(400);
      if (place < bytes.length) bytes[place] = random.below(256);
    }
    return bytes;
  },
};

/** Changes that keep most of a file intact; these occur more often. */
const gentle = [
  'bits flipped',
  'an extreme side',
  'an extreme number where the format has one',
  'metadata overwritten',
  'another file behind it',
];
const names = [...Object.keys(changes), ...gentle, ...gentle];

/**
 * Applies one to three changes. Checksums of a PNG are mostly corrected, because a decoder would stop
 * otherwise.
 */
export function mutate(random: Random, seed: Buffer, other: Buffer): Mutant {
  const how = Array.from({ length: random.pick([1, 1, 1, 1, 2, 3]) }, () => random.pick(names));
  let bytes = Buffer.from(seed);
  for (const name of how) if (bytes.length > 0) bytes = Buffer.from(changes[name]!(random, bytes, other));
  if (random.chance(0.8)) mendSums(bytes);
  return { bytes, how: how.join(', ') };
}

function filled(random: Random, bytes: Buffer, value: () => number): Buffer {
  const from = random.below(bytes.length);
  const to = Math.min(bytes.length, from + random.below(random.pick([8, 128, 2048])));
  for (let at = from; at < to; at++) bytes[at] = value();
  return bytes;
}

function withNumber(random: Random, bytes: Buffer, wanted: number): Buffer {
  const size = random.pick([1, 2, 4] as const);
  if (bytes.length < size) return bytes;
  const at = Math.max(0, Math.min(wanted, bytes.length - size));
  const value = random.pick(extremes) % 256 ** size;
  if (random.chance(0.5)) bytes.writeUIntBE(value, at, size);
  else bytes.writeUIntLE(value, at, size);
  return bytes;
}
