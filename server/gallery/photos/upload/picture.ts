/** From a file to what is stored of it. */
import type { Deps } from '../../../deps.ts';
import { cleanParts, type Part } from '../../../platform/imaging/clean/clean.ts';
import type { PictureRequest, ReadPicture } from '../../../platform/imaging/imaging.ts';

export interface Picture extends ReadPicture {
  /** null where `renditions.full` serves everybody but the owner. */
  clean: Part[] | null;
}

/** Throws ImageError for whatever is no acceptable picture, AbandonedError, or QueueFullError. */
export async function readPicture(
  { imaging, config }: Deps,
  file: string,
  request: PictureRequest,
): Promise<Picture> {
  const asked = { ...request, maxMegapixels: config.maxMegapixels };
  const picture = await imaging.upload(file, asked);
  const { format, orientation } = picture.inspection;
  const clean = await cleanParts(file, format, orientation);
  if (clean !== null || picture.renditions.full) return { ...picture, clean };
  // The structure is odd, which is rare: everybody but the owner gets `full` instead of a clean copy.
  return { ...(await imaging.upload(file, { ...asked, full: true })), clean };
}
