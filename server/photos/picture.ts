/** From a file to what is stored of it: inspected and read, then decoded in full and rendered in the imaging queue. */
import type { Deps } from '../deps.ts';
import { cleanParts, type Part } from '../imaging/clean.ts';
import { type Exif, readExif } from '../imaging/exif.ts';
import { type Inspection, inspect } from '../imaging/inspect.ts';
import type { ImagingRequest } from '../imaging/queue.ts';
import { type Renditions, renderUpload } from '../imaging/render.ts';
import { uploadBytes } from '../imaging/weights.ts';

export interface Picture {
  inspection: Inspection;
  exif: Exif;
  /** null where `renditions.full` serves everybody but the owner. */
  clean: Part[] | null;
  renditions: Renditions;
}

/** Whose picture it is, and the signal that ends the work with its client's connection. */
export type PictureRequest = Omit<ImagingRequest, 'bytes'>;

/** Throws ImageError for whatever is no acceptable picture, AbandonedError, or QueueFullError. */
export async function readPicture(
  { imaging, config }: Deps,
  file: string,
  request: PictureRequest,
): Promise<Picture> {
  const inspection = await inspect(file, config.maxMegapixels);
  const clean = await cleanParts(file, inspection.format, inspection.orientation);
  const exif = await readExif(file, inspection.format);
  const full = clean === null;
  const renditions = await imaging.run(
    () => renderUpload({ file, inspection }, { full, signal: request.signal }),
    { ...request, bytes: uploadBytes(inspection, full) },
  );
  return { inspection, exif, clean, renditions };
}
