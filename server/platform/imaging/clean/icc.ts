import { createHash } from 'node:crypto';
import { UnexpectedStructure } from './parts.ts';

/**
 * SHA-256 of color profiles that programs and phones write unchanged into millions of files, so they reveal nothing
 * about the owner. The list has Apple's Display P3, HP's two sRGB profiles, jpegli's XYB, and the profiles of Google,
 * Skia, Little CMS and sharp.
 */
const knownProfiles = new Set([
  'e468e89239fc0493d5e8fb9b014e91b210c6caa73c81edf04c3d21a734f377cc',
  '3f6d674174f3804eb0dabdac90ae17486e898c5063a66f861c116ea033da8301',
  '2b3aa1645779a9e634744faf9b01e9102b0c9b88fd6deced7934df86b949af7e',
  '33c34ecfeb998459e0075ba26a0f1ea5042e20e2419c5962e495eba3208576f2',
  'be1eccdf7ba1b4c2b13dae337d96b87040fc9206d2d388f7fbed8187cf2c5a6c',
  '61bb24bd075ae1179b562cb484a2737fa63bcf35133a951843db1f1f7c97ce7f',
  '231752984cd4a5278e1b8d2390fe496767d4511fc81f54e1a5c69ae9ab4c42b5',
  '1f0b56ad33bd18343b89f0f3338306ef9b80f1860053a7f6b8c98b569c04064f',
  'c56e1685d888f5edb92fe07f2750f387f8fe8e91b32ff8fb0b56bfbbb9458353',
]);

/** Tags that define the colors in a profile with three primaries or in grayscale, with their allowed types. */
const colorTagNames: Record<string, string[]> = {
  wtpt: ['XYZ '],
  rXYZ: ['XYZ '],
  gXYZ: ['XYZ '],
  bXYZ: ['XYZ '],
  chad: ['sf32'],
  rTRC: ['curv', 'para'],
  gTRC: ['curv', 'para'],
  bTRC: ['curv', 'para'],
  kTRC: ['curv', 'para'],
};

const headBytes = 128;
const entryBytes = 12;
const maxTags = 100;
/**
 * Maximum bytes of a rewritten profile, which is stored in the photo's row. Profiles of printers and scanners contain
 * tables and are larger.
 */
const maxProfileBytes = 8 * 1024;

/**
 * Returns a profile with the same colors but without identifying text such as serial number, name, date or maker.
 * Returns undefined for a known profile, which may stay. Throws UnexpectedStructure for a profile that cannot be rewritten;
 * such a picture is rendered in sRGB instead.
 */
export function cleanIcc(profile: Buffer): Buffer | undefined {
  if (knownProfiles.has(createHash('sha256').update(profile).digest('hex'))) return undefined;
  const tags = findColorTags(profile);
  const names = tags.map(({ name }) => name);
  const isColour = ['wtpt', 'rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'].every((name) =>
    names.includes(name),
  );
  const isGrey = ['wtpt', 'kTRC'].every((name) => names.includes(name));
  const space = profile.toString('latin1', 16, 20);
  if (!(space === 'RGB ' && isColour) && !(space === 'GRAY' && isGrey))
    throw new UnexpectedStructure('a profile of tables');
  const clean = writeProfile(profile, [
    ...tags,
    { name: 'desc', data: writeEmptyText('desc') },
    { name: 'cprt', data: writeEmptyText('text') },
  ]);
  if (clean.length > maxProfileBytes) throw new UnexpectedStructure('a large profile');
  return clean;
}

interface Tag {
  name: string;
  data: Buffer;
}

function findColorTags(profile: Buffer): Tag[] {
  if (profile.length < headBytes + 4 || profile.toString('latin1', 36, 40) !== 'acsp')
    throw new UnexpectedStructure('no profile');
  const count = profile.readUInt32BE(headBytes);
  if (count > maxTags || headBytes + 4 + count * entryBytes > profile.length)
    throw new UnexpectedStructure('no profile');
  const tags: Tag[] = [];
  for (let index = 0; index < count; index++) {
    const at = headBytes + 4 + index * entryBytes;
    const name = profile.toString('latin1', at, at + 4);
    // Readers prefer a table to the primaries, so the colors would change without it.
    if (/^(A2B|B2A|D2B|B2D)/.test(name)) throw new UnexpectedStructure('a profile of tables');
    const types = colorTagNames[name];
    if (!types || tags.some((tag) => tag.name === name)) continue;
    const start = profile.readUInt32BE(at + 4);
    const data = profile.subarray(start, start + profile.readUInt32BE(at + 8));
    if (!types.includes(data.toString('latin1', 0, 4))) throw new UnexpectedStructure('an odd tag');
    tags.push({ name, data: cutToType(data) });
  }
  return tags;
}

const parameters = [1, 3, 4, 5, 7];

/** Returns the tag's data, cut to the length that its type defines, so that no hidden bytes follow. */
function cutToType(data: Buffer): Buffer {
  const type = data.toString('latin1', 0, 4);
  const bytes =
    type === 'XYZ '
      ? 20
      : type === 'sf32'
        ? 44
        : type === 'curv'
          ? 12 + data.readUInt32BE(8) * 2
          : 12 + (parameters[data.readUInt16BE(8)] ?? Number.NaN) * 4;
  if (!(data.length >= bytes)) throw new UnexpectedStructure('a tag cut short');
  return data.subarray(0, bytes);
}

/**
 * Byte ranges of the header that are copied: version, class, color spaces, magic number, rendering intent and
 * illuminant. All other header bytes become zero.
 */
const keptOfHead = [
  [8, 24],
  [36, 40],
  [64, 80],
] as const;

function writeProfile(profile: Buffer, tags: Tag[]): Buffer {
  const head = Buffer.alloc(headBytes + 4 + tags.length * entryBytes);
  for (const [start, end] of keptOfHead) profile.copy(head, start, start, end);
  head.writeUInt32BE(tags.length, headBytes);
  const pieces: Buffer[] = [head];
  let end = head.length;
  /** Offsets of written tag data, so that three equal curves are written only once. */
  const written = new Map<string, number>();
  tags.forEach(({ name, data }, index) => {
    const key = data.toString('latin1');
    const at = headBytes + 4 + index * entryBytes;
    if (!written.has(key)) {
      const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
      written.set(key, end);
      pieces.push(padded);
      end += padded.length;
    }
    head.write(name, at, 'latin1');
    head.writeUInt32BE(written.get(key)!, at + 4);
    head.writeUInt32BE(data.length, at + 8);
  });
  head.writeUInt32BE(end, 0);
  return Buffer.concat(pieces);
}

/**
 * Returns a tag for description or copyright. The standard requires both tags, and readers of either profile version
 * accept the forms of version 2.
 */
function writeEmptyText(type: 'desc' | 'text'): Buffer {
  if (type === 'text') return Buffer.from('text\0\0\0\0CC0\0', 'latin1');
  const text = Buffer.from('RGB\0', 'latin1');
  const description = Buffer.alloc(12 + text.length + 78);
  description.write('desc', 'latin1');
  description.writeUInt32BE(text.length, 8);
  text.copy(description, 12);
  return description;
}
