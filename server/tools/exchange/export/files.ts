/** Writes files of an export, each completely or not at all. */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { computeChecksum, createChecksumMeter } from '../../../platform/storage/checksum.ts';
import { jsonText } from './describe.ts';

export async function writeJson(path: string, value: object): Promise<void> {
  await writeText(path, jsonText(value));
}

export async function writeText(path: string, text: string): Promise<void> {
  await writeAndRename(path, (part) => writeFile(part, text));
}

export async function isWritten(path: string, size: number, sha256: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return (
    !!found?.isFile() && found.size === size && (await computeChecksum(createReadStream(path))) === sha256
  );
}

/** Writes a file and returns its SHA-256. `time` is the file's modification time in Unix seconds. */
export async function writeBytes(path: string, bytes: Readable, time: number): Promise<string> {
  const meter = createChecksumMeter();
  await writeAndRename(path, async (part) => {
    await pipeline(bytes, meter.through, createWriteStream(part));
    await utimes(part, time, time);
  });
  return meter.sum().sha256;
}

/** Writes a file under a hidden name first, so that an import never takes an incomplete file for a photo. */
async function writeAndRename(path: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = join(dirname(path), `.${basename(path)}.part`);
  try {
    await write(part);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
