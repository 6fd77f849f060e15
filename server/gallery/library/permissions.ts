/** Who may do what with a photo or an album: pure predicates over its row and the viewer. In SQL: visible.ts. */

import { type Shown, Visibility } from '../../platform/db/states.ts';
import type { Viewer } from '../identity/viewer.ts';

interface Owned {
  user_id: number;
}

/** A row with the column `visibilityNow`, or `albumVisibilityNow`. */
interface Seen extends Owned {
  visibility_now: Visibility;
}

export function isOwner(viewer: Viewer | undefined, item: Owned): boolean {
  return viewer?.id === item.user_id;
}

/** Owner and admins: who may change it, and sees all of it. */
export function canManage(viewer: Viewer | undefined, item: Owned): boolean {
  return isOwner(viewer, item) || viewer?.isAdmin === true;
}

/** Whether anonymous visitors see it. */
export function isPublic({ visibility_now }: Pick<Seen, 'visibility_now'>): boolean {
  return visibility_now === Visibility.public;
}

/** In the trash it does not exist, but for the trash's own pages. */
export function isTrashed({ visibility_now }: Pick<Seen, 'visibility_now'>): boolean {
  return visibility_now === Visibility.trash;
}

/** What is public is for everybody, what is private for owner and admins. */
export function canSee(viewer: Viewer | undefined, item: Seen): boolean {
  return isPublic(item) || (!isTrashed(item) && canManage(viewer, item));
}

/** Of an album's photos: which ones the viewer may see. */
export function shownTo(viewer: Viewer | undefined, album: Owned): Shown[] {
  return canManage(viewer, album) ? [Visibility.public, Visibility.private] : [Visibility.public];
}

/** How many of its photos the viewer may see. */
export function photoCountFor(
  viewer: Viewer | undefined,
  album: Owned & { photo_count: number; public_count: number },
): number {
  return canManage(viewer, album) ? album.photo_count : album.public_count;
}
