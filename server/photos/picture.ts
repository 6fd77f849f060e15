/** From a file to what is stored of it: inspected, read, decoded in full, rendered. Runs in the imaging queue. */
import { cleanParts, type Part } from '../imaging/clean.ts';
import { type Exif, readExif } from '../imaging/exif.ts';
import { type Inspection, inspect } from '../imaging/inspect.ts';
import { type Renditions, renderUpload } from '../imaging/render.ts';

export interface Picture {
  inspection: Inspection;
  exif: Exif;
  /** null where `renditions.full` serves everybody but the owner. */
  clean: Part[] | null;
  renditions: Renditions;
}

/** Throws ImageError for whatever is no acceptable picture. */
export async function readPicture(file: string): Promise<Picture> {
  const inspection = await inspect(file);
  const clean = await cleanParts(file, inspection.format, inspection.orientation);
  const exif = await readExif(file, inspection.format);
  const renditions = await renderUpload({ file, inspection }, { full: clean === null });
  return { inspection, exif, clean, renditions };
}
