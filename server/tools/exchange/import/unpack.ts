/** Writes the bytes of a file to a temporary file, which the import may move. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../../deps.ts';
import { getErrorCode, StorageFull } from '../../../platform/errors/storage.ts';
import { createChecksumMeter } from '../../../platform/storage/checksum.ts';
import type { ImportSourceFile } from './source.ts';

/** Throws StorageFull if the disk is full, or the error of the bytes. */
export async function unpackFile(
  deps: Deps,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Omit<ImportSourceFile, 'modified'>> {
  const file = await deps.storage.temporary();
  try {
    const meter = createChecksumMeter();
    await pipeline(bytes, meter.through, createWriteStream(file.path)).catch(refuseFull);
    return { path: file.path, unpacked: { file, ...meter.sum() }, close: () => file.discard() };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** A full disk stops the whole import, not only the current file. */
function refuseFull(error: unknown): never {
  throw /^(ENOSPC|EDQUOT)$/.test(getErrorCode(error) ?? '') ? new StorageFull(error) : error;
}
