/** Reads an uploaded file: its properties, its renditions and the parts of its clean copy. */
import type { Deps } from '../../../deps.ts';
import { type CleanPart, computeCleanParts } from '../../../platform/imaging/clean/clean.ts';
import type { DecodedPicture, UploadJobOptions } from '../../../platform/imaging/imaging.ts';

export interface UploadedPicture extends DecodedPicture {
  /** Byte ranges of the clean copy, or null if everyone except the owner gets `renditions.full`. */
  clean: CleanPart[] | null;
}

/**
 * Reads an uploaded file. Throws ImageError for a file that is not an acceptable picture, AbandonedJobError or
 * QueueFullError.
 */
export async function readPicture(
  { imaging, config }: Deps,
  file: string,
  request: Omit<UploadJobOptions, 'maxMegapixels' | 'full'>,
): Promise<UploadedPicture> {
  const asked = { ...request, maxMegapixels: config.maxMegapixels };
  const picture = await imaging.upload(file, asked);
  const { format, orientation } = picture.inspection;
  const clean = await computeCleanParts(file, format, orientation);
  if (clean !== null || picture.renditions.full) return { ...picture, clean };
  // In the rare case that a file's structure is unusual, everyone except the owner gets `full` instead of a clean copy.
  return { ...(await imaging.upload(file, { ...asked, full: true })), clean };
}
