import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import type { DeclaredColor } from '../../structure/color.ts';
import type { SharpInput } from '../open.ts';
import { sharp, sharpInputOptions } from '../sharp.ts';
import { createColorProfile } from './profile.ts';

const file = 'colored.tif';

const directoryHeadBytes = 2;
const entryBytes = 12;
const profileTag = 34_675;
const undefinedType = 7;

/**
 * Writes the upright picture as an uncompressed TIFF with a color profile for `color`, and returns the file. sharp cannot
 * assign a profile to a picture. A profile inside the picture is ignored.
 */
export async function attachColorProfile(input: string, color: DeclaredColor): Promise<SharpInput> {
  const options = { ...sharpInputOptions, autoOrient: true, ignoreIcc: true };
  const { depth } = await sharp(input, options).metadata();
  const isDeep = depth === 'ushort';
  const image = sharp(input, options).toColourspace(isDeep ? 'rgb16' : 'srgb');
  await image.tiff({ compression: 'none' }).toFile(file);
  addProfile(file, createColorProfile(color));
  return isDeep ? { deepFile: file } : file;
}

/** Adds a profile to a little-endian TIFF: at its end, with a longer copy of its directory. */
function addProfile(path: string, profile: Buffer): void {
  const handle = openSync(path, 'r+');
  try {
    const directory = readAt(handle, readAt(handle, 4, 4).readUInt32LE(0));
    const count = directory.readUInt16LE(0);
    const end = statSync(path).size + (statSync(path).size & 1);
    const entries = Array.from({ length: count }, (_, index) =>
      directory.subarray(
        directoryHeadBytes + index * entryBytes,
        directoryHeadBytes + (index + 1) * entryBytes,
      ),
    ).filter((entry) => entry.readUInt16LE(0) !== profileTag);
    const own = Buffer.alloc(entryBytes);
    own.writeUInt16LE(profileTag, 0);
    own.writeUInt16LE(undefinedType, 2);
    own.writeUInt32LE(profile.length, 4);
    own.writeUInt32LE(end, 8);
    const head = Buffer.alloc(directoryHeadBytes);
    head.writeUInt16LE(entries.length + 1);
    const sorted = [...entries, own].sort((one, other) => one.readUInt16LE(0) - other.readUInt16LE(0));
    const position = Buffer.alloc(4);
    position.writeUInt32LE(end + profile.length);
    writeSync(handle, Buffer.concat([profile, head, ...sorted, Buffer.alloc(4)]), 0, undefined, end);
    writeSync(handle, position, 0, 4, 4);
  } finally {
    closeSync(handle);
  }
}

const maxDirectoryBytes = directoryHeadBytes + 100 * entryBytes;

function readAt(handle: number, position: number, length = maxDirectoryBytes): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(handle, bytes, 0, length, position));
}
