/** Renders a photo's original with its edit steps, and stores the objects of the result. */

import type { Deps } from '../../../deps.ts';
import type { ImageRow, PhotoRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { EditStep } from '../../../platform/imaging/edits/actions.ts';
import type { EditedImage, ImagingJobOptions } from '../../../platform/imaging/imaging.ts';
import { createObjectKey, objectName } from '../../../platform/storage/keys.ts';
import type { PhotoWithVisibility } from '../store.ts';

/** A new image version whose objects are stored and whose row is not inserted yet. */
export interface NewImageVersion {
  key: string;
  extension: string;
  mime: string;
  width: number;
  height: number;
  size: number;
  frames: number;
  previewExtension: string;
  placeholder: string;
  objects: string[];
}

/** The photo and the image that it shows after an edit. */
export interface CurrentPhotoImage {
  photo: PhotoWithVisibility;
  image: ImageRow;
}

/**
 * Options of rendering. `signal` aborts rendering, and `key` is the key of an existing version whose objects are
 * rendered again. Without `key`, the version gets a new one.
 */
export interface EditRenderOptions extends Pick<ImagingJobOptions, 'signal'> {
  key?: string;
}

export async function renderEditSteps(
  deps: Deps,
  photo: Pick<PhotoRow, 'original_key'>,
  steps: EditStep[],
  { key = createObjectKey(), signal }: EditRenderOptions = {},
): Promise<NewImageVersion> {
  const { imaging, storage } = deps;
  const { maxMegapixels } = deps.config;
  const original = await openOriginal(deps, photo);
  try {
    const edited = await imaging.edit(original.path, steps, {
      upright: original,
      newFile: () => storage.temporary(),
      signal,
      maxMegapixels,
    });
    return await storeVersion(deps, key, edited);
  } finally {
    await original.release();
  }
}

async function storeVersion({ storage }: Deps, key: string, edited: EditedImage): Promise<NewImageVersion> {
  const { image, thumb, preview, frames, placeholder } = edited;
  const objects = [
    { name: objectName(key, 'edit', image.extension), source: image.file },
    { name: objectName(key, 'preview', preview.extension), source: preview.data },
    { name: objectName(key, 'thumb', thumb.extension), source: thumb.data },
  ];
  await storage.put(objects);
  return {
    key,
    extension: image.extension,
    mime: image.mime,
    width: image.width,
    height: image.height,
    size: image.size,
    frames,
    previewExtension: preview.extension,
    placeholder,
    objects: objects.map(({ name }) => name),
  };
}

/**
 * Opens the original as a local file, with its upright width and height. The caller must release the file. Throws
 * photoNotFound if the photo was purged meanwhile.
 */
export async function openOriginal({ db, storage }: Deps, photo: Pick<PhotoRow, 'original_key'>) {
  const findImage = () =>
    db.kysely
      .selectFrom('images')
      .select(['extension', 'width', 'height'])
      .where('key', '=', photo.original_key)
      .executeTakeFirst();
  const image = await findImage();
  if (!image) throw errors.photoNotFound();
  const original = await storage.openLocalFile(objectName(photo.original_key, 'original', image.extension));
  if (original) return { ...original, width: image.width, height: image.height };
  if (!(await findImage())) throw errors.photoNotFound();
  throw errors.internal({ cause: new Error(`the original ${photo.original_key} is missing`) });
}
