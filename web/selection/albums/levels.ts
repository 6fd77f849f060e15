/** Levels of photos whose albums changed: texts about them, and their restoration. */
import type { QueryClient } from '@tanstack/react-query';
import type { AddedPhoto, PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { patchCachedPhoto } from '../../photos/queries.ts';
import { isWiderLevel } from '../../visibility/levels.ts';
import { changePhotosInBatches } from '../queries.ts';

/**
 * Sets the levels that the photos had before. A photo that leaves its main album gets the level that counted
 * there, so only photos with another level in `added` are set. Throws ApiError.
 */
export async function restorePhotoLevels(
  client: QueryClient,
  photos: PhotoItem[],
  added: AddedPhoto[],
): Promise<void> {
  const levels = new Map(added.map((one) => [one.id, one]));
  const changed = photos.filter(({ id, visibility }) => {
    const now = levels.get(id);
    return now && now.as === 'main' && now.effective_visibility !== visibility;
  });
  for (const [visibility, some] of Map.groupBy(changed, (photo) => photo.visibility)) {
    const ids = some.map(({ id }) => id);
    await changePhotosInBatches(ids, { action: 'visibility', visibility }, () => {});
    for (const { id, is_public, effective_visibility } of some) {
      patchCachedPhoto(client, id, (photo) => ({ ...photo, visibility, is_public, effective_visibility }));
    }
  }
}

/** Returns a sentence if the album narrows photos, or '' otherwise. */
export function describeNarrowedPhotos(photos: PhotoItem[], added: AddedPhoto[]): string {
  const levels = new Map(photos.map((photo) => [photo.id, photo.effective_visibility]));
  const narrowed = added.filter(({ id, effective_visibility }) =>
    isWiderLevel(levels.get(id) ?? effective_visibility, effective_visibility),
  );
  const count = narrowed.length;
  if (count === 0) return '';
  const isPrivate = narrowed.some(({ effective_visibility }) => effective_visibility === 'private');
  if (photos.length === 1) return t(isPrivate ? 'photoNowPrivate' : 'photoNowForMembers');
  return t(isPrivate ? 'someNowPrivate' : 'someNowForMembers', { count });
}

/** Returns the photos with their new levels. */
export function applyNewLevels(photos: PhotoItem[], added: AddedPhoto[]): PhotoItem[] {
  const levels = new Map(added.map((one) => [one.id, one]));
  return photos.map((photo) => {
    const { visibility, is_public, effective_visibility } = levels.get(photo.id) ?? photo;
    return { ...photo, visibility, is_public, effective_visibility };
  });
}
