/** From a file to what is stored of it: inspected and read, then decoded in full and rendered in the imaging queue. */
import type { Deps } from '../../../deps.ts';
import { cleanParts, type Part } from '../../../platform/imaging/clean/clean.ts';
import type { Inspection } from '../../../platform/imaging/inspect.ts';
import { type Exif, readExif } from '../../../platform/imaging/metadata/exif.ts';
import type { ImagingRequest } from '../../../platform/imaging/queue/queue.ts';
import { uploadBytes } from '../../../platform/imaging/queue/weights.ts';
import { renderUpload } from '../../../platform/imaging/render/render.ts';
import type { Renditions } from '../../../platform/imaging/render/renditions.ts';

export interface Picture {
  inspection: Inspection;
  exif: Exif;
  /** null where `renditions.full` serves everybody but the owner. */
  clean: Part[] | null;
  renditions: Renditions;
}

/** The signal that ends the work with its client's connection. */
export type PictureRequest = Pick<ImagingRequest, 'signal'>;

/** Throws ImageError for whatever is no acceptable picture, AbandonedError, or QueueFullError. */
export async function readPicture(
  { imaging, config }: Deps,
  file: string,
  request: PictureRequest,
): Promise<Picture> {
  const source = await imaging.open(file, config.maxMegapixels);
  const { inspection } = source;
  const clean = await cleanParts(file, inspection.format, inspection.orientation);
  const exif = await readExif(file, inspection.format);
  const full = clean === null;
  const renditions = await imaging.queue.run(() => renderUpload(source, { full, signal: request.signal }), {
    ...request,
    bytes: uploadBytes(inspection, full),
  });
  return { inspection, exif, clean, renditions };
}
