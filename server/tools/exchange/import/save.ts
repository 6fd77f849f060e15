/** Stores the bytes of a file as a photo. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { savePhoto, type UploadedPhotoDetails } from '../../../gallery/photos/upload/upload.ts';
import { getErrorCode, StorageFull } from '../../../platform/errors/storage.ts';
import { createChecksumMeter } from '../../../platform/storage/checksum.ts';
import type { TemporaryFile } from '../../../platform/storage/storage.ts';
import { openFile } from './open-file.ts';
import type { ImportSourceFile } from './source.ts';

/** Stores a file as a photo. An unpacked temporary file is moved, and a user's own file is copied. */
export async function saveBytes(
  deps: Deps,
  viewer: Viewer,
  { path, unpacked }: ImportSourceFile,
  { fileName, ...text }: UploadedPhotoDetails & { fileName: string },
) {
  if (unpacked) return savePhoto(deps, viewer, { fileName, ...unpacked }, text);
  const file = await deps.storage.temporary();
  try {
    return await savePhoto(deps, viewer, { file, fileName, ...(await copyInto(path, file)) }, text);
  } finally {
    await file.discard();
  }
}

/**
 * Copies a file to a temporary file. Size and checksum are computed from the copied bytes, because the file may change
 * meanwhile.
 */
async function copyInto(path: string, file: TemporaryFile): Promise<{ size: number; sha256: string }> {
  const meter = createChecksumMeter();
  try {
    const handle = await openFile(path);
    await pipeline(handle.createReadStream(), meter.through, createWriteStream(file.path));
  } catch (error) {
    // A full disk stops the whole import. Other errors concern only this file.
    throw /^(ENOSPC|EDQUOT)$/.test(getErrorCode(error) ?? '') ? new StorageFull(error) : error;
  }
  return meter.sum();
}
