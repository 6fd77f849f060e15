/** Renders a photo's original through its steps and stores the result's objects. */
import type { PhotoRow } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import { errors } from '../http/errors.ts';
import { type EditStep, renderEdits } from '../imaging/edits.ts';
import { inspect } from '../imaging/inspect.ts';
import { newKey, objectName } from '../storage/keys.ts';

/** A version of the image whose objects are stored and whose row is not yet. */
export interface Version {
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

/** `key`: of a version whose objects are to be made again; a new one otherwise. */
export async function renderSteps(
  deps: Deps,
  photo: Pick<PhotoRow, 'original_key'>,
  steps: EditStep[],
  key = newKey(),
): Promise<Version> {
  const original = await openOriginal(deps, photo);
  try {
    return await deps.imaging.run(async () => {
      const inspection = await inspect(original.path);
      const { image, thumb, preview, width, height, placeholder } = await renderEdits(
        { file: original.path, inspection },
        steps,
      );
      const objects = [
        { name: objectName(key, 'edit', image.extension), source: image.data },
        { name: objectName(key, 'preview', preview.extension), source: preview.data },
        { name: objectName(key, 'thumb', thumb.extension), source: thumb.data },
      ];
      await deps.storage.put(objects);
      return {
        key,
        extension: image.extension,
        mime: image.mime,
        width,
        height,
        size: image.data.length,
        frames: inspection.frames,
        previewExtension: preview.extension,
        placeholder,
        objects: objects.map(({ name }) => name),
      };
    });
  } finally {
    await original.release();
  }
}

/** The original as a local file; the caller releases it. */
export async function openOriginal({ db, storage }: Deps, photo: Pick<PhotoRow, 'original_key'>) {
  const { extension } = await db.kysely
    .selectFrom('images')
    .select('extension')
    .where('key', '=', photo.original_key)
    .executeTakeFirstOrThrow();
  const original = await storage.local(objectName(photo.original_key, 'original', extension));
  if (!original) throw errors.internal({ cause: new Error(`the original ${photo.original_key} is missing`) });
  return original;
}
