/**
 * Decides who can see and change a photo or an album, by pure predicates over its row and the viewer. The file
 * visibility-sql.ts has the same rules in SQL.
 */

import { type ListedVisibility, Visibility } from '../../platform/db/states.ts';
import type { Viewer } from '../identity/viewer.ts';

interface OwnedItem {
  user_id: number;
}

/** Row of a photo or an album that was read with the column `visibilityNow` or `albumVisibilityNow`. */
interface ItemWithVisibility extends OwnedItem {
  visibility_now: Visibility;
}

export function isOwner(viewer: Viewer | undefined, item: OwnedItem): boolean {
  return viewer?.id === item.user_id;
}

/** Returns whether the viewer can change the item and see all of it: its owner and admins can. */
export function canManage(viewer: Viewer | undefined, item: OwnedItem): boolean {
  return isOwner(viewer, item) || viewer?.isAdmin === true;
}

/** Returns whether anonymous visitors can see the item. */
export function isPublic({ visibility_now }: Pick<ItemWithVisibility, 'visibility_now'>): boolean {
  return visibility_now === Visibility.public;
}

/** Returns whether the item is in the trash. Only the routes of the trash show trashed items. */
export function isTrashed({ visibility_now }: Pick<ItemWithVisibility, 'visibility_now'>): boolean {
  return visibility_now === Visibility.trash;
}

/**
 * Returns whether the viewer can see the item. Everyone sees a public item; only its owner and admins see a private
 * item.
 */
export function canSee(viewer: Viewer | undefined, item: ItemWithVisibility): boolean {
  return isPublic(item) || (!isTrashed(item) && canManage(viewer, item));
}

/** Returns the visibilities that the viewer can see among the photos of an album. */
export function visibilitiesFor(viewer: Viewer | undefined, album: OwnedItem): ListedVisibility[] {
  return canManage(viewer, album) ? [Visibility.public, Visibility.private] : [Visibility.public];
}

/** Returns how many photos of the album the viewer can see. */
export function photoCountFor(
  viewer: Viewer | undefined,
  album: OwnedItem & { photo_count: number; public_count: number },
): number {
  return canManage(viewer, album) ? album.photo_count : album.public_count;
}
