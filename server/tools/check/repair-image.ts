/** Repairs an image version: renders its objects again from the original, under their old names. */
import type { Deps } from '../../deps.ts';
import { clearRenderedSizes } from '../../gallery/delivery/size-rows.ts';
import { isSizeName, parseSizeName } from '../../gallery/delivery/sizes.ts';
import { regroupPhotos } from '../../gallery/library/groups.ts';
import { lockPhoto } from '../../gallery/library/locks.ts';
import { openOriginal, renderEditSteps } from '../../gallery/photos/edit/image.ts';
import { findEditSteps, parseEditStep } from '../../gallery/photos/edit/steps.ts';
import { addUsedBytes } from '../../gallery/photos/upload/quota.ts';
import { objectName, parseObjectName } from '../../platform/storage/keys.ts';
import { type CheckedImage, findImageToCheck, findObjectFaults, type ObjectFault } from './objects.ts';

/**
 * Returns a function that repairs all faults of a version on its first call. Every call returns true if the repair
 * succeeded. The function throws an error if the original is missing or damaged.
 */
export function createImageRepair(
  deps: Deps,
  image: CheckedImage,
  faults: ObjectFault[],
): () => Promise<boolean> {
  let done: Promise<boolean> | undefined;
  return () => {
    done ??= repairImage(deps, image, faults);
    return done;
  };
}

async function repairImage(deps: Deps, image: CheckedImage, faults: ObjectFault[]): Promise<boolean> {
  const [sizes, others] = [true, false].map((are) =>
    faults.filter(({ object }) => isSizeName(object) === are),
  );
  await dropSizes(deps, image, sizes!);
  if (others!.length > 0) {
    await requireSoundOriginal(deps, image);
    if (image.kind === 'edit') await renderEdit(deps, image);
    else await renderRenditions(deps, image, others!);
  }
  const now = await findImageToCheck(deps, image.key);
  // If the photo was purged meanwhile, the search for orphans deletes the new objects.
  return now !== undefined && (await findObjectFaults(deps, now, true)).length === 0;
}

/** Removes damaged sizes, which the server renders again when a client requests them. */
async function dropSizes(deps: Deps, image: CheckedImage, faults: ObjectFault[]): Promise<void> {
  const sizes = faults.map(({ object }) => {
    const { kind, extension } = parseObjectName(object)!;
    return parseSizeName(kind, extension)!;
  });
  await clearRenderedSizes(deps, image.key, sizes);
  for (const { object } of faults) await deps.storage.remove(object);
}

/**
 * Throws an error if the original is missing or damaged. Renditions of a damaged original would look right and hide the
 * damage.
 */
async function requireSoundOriginal(deps: Deps, image: CheckedImage): Promise<void> {
  const original = await findImageToCheck(deps, image.original_key);
  const faults = original ? await findObjectFaults(deps, original, false) : [];
  if (!original || faults.some(({ kind }) => kind.startsWith('original-'))) {
    throw new Error(`the original of photo ${image.photo_id} is missing or damaged`);
  }
}

async function renderRenditions(deps: Deps, image: CheckedImage, faults: ObjectFault[]): Promise<void> {
  const original = await openOriginal(deps, image);
  try {
    const { renditions } = await deps.imaging.upload(original.path, {
      maxMegapixels: Infinity,
      full: image.full_extension !== '',
    });
    const { preview, thumb, full } = renditions;
    const made = { preview, thumb, full };
    const kinds = faults.map(({ object }) => parseObjectName(object)!.kind as keyof typeof made);
    const objects = kinds.flatMap((kind) => {
      const picture = made[kind];
      if (!picture) return [];
      return [{ name: objectName(image.key, kind, picture.extension), source: picture.data }];
    });
    await deps.storage.put(objects);
    // The server may now use another encoder than at upload time, so the format may differ.
    const extensions = {
      ...(kinds.includes('preview') && { preview_extension: preview.extension }),
      ...(kinds.includes('full') && { full_extension: full?.extension ?? '' }),
    };
    if (Object.keys(extensions).length === 0) return;
    await deps.db.kysely.transaction().execute(async (transaction) => {
      await lockPhoto(transaction, image.photo_id);
      await transaction.updateTable('images').set(extensions).where('key', '=', image.key).execute();
      if (!extensions.preview_extension) return;
      const shown = { preview_extension: extensions.preview_extension };
      await transaction.updateTable('photos').set(shown).where('image_key', '=', image.key).execute();
    });
  } finally {
    await original.release();
  }
}

/** Renders the whole edited version again, because its image and renditions belong together. */
async function renderEdit(deps: Deps, image: CheckedImage): Promise<void> {
  const steps = (await findEditSteps(deps, image.photo_id)).filter(({ id }) => id <= image.edit_id!);
  if (steps.at(-1)?.id !== image.edit_id)
    throw new Error('the edit steps of this version are no longer known');
  const version = await renderEditSteps(deps, image, steps.map(parseEditStep), { key: image.key });
  const size = { width: version.width, height: version.height, size: version.size };
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhoto(transaction, image.photo_id);
    const old = await transaction
      .selectFrom('images')
      .select('size')
      .where('key', '=', image.key)
      .executeTakeFirst();
    if (!photo || !old) return;
    await addUsedBytes(transaction, photo.user_id, version.size - old.size);
    await transaction
      .updateTable('images')
      .set({
        ...size,
        extension: version.extension,
        mime: version.mime,
        preview_extension: version.previewExtension,
      })
      .where('key', '=', image.key)
      .execute();
    const change = transaction
      .updateTable('photos')
      .set({ ...size, preview_extension: version.previewExtension })
      .where('image_key', '=', image.key);
    await regroupPhotos(deps.db, transaction, [photo.id], () => change.execute());
  });
}
