/**
 * Decides who can see and change a photo or an album, by pure predicates over its row and the viewer. The file
 * visibility-sql.ts has the same rules in SQL.
 */

import { type Level, Visibility, type VisibilityOutsideTrash } from '../../platform/db/states.ts';
import type { Viewer } from '../identity/viewer.ts';
import { isWiderLevel } from './visibility-rule.ts';

interface OwnedItem {
  user_id: number;
}

/** Row of a photo or an album that was read with the column `currentVisibilityColumn` or `albumCurrentVisibilityColumn`. */
interface ItemWithVisibility extends OwnedItem {
  visibility_now: Visibility;
}

export function isOwner(viewer: Viewer | undefined, item: OwnedItem): boolean {
  return viewer?.id === item.user_id;
}

/** Returns whether the viewer can change the item and see all of it: its owner and admins can. */
export function canManageItem(viewer: Viewer | undefined, item: OwnedItem): boolean {
  return isOwner(viewer, item) || viewer?.isAdmin === true;
}

/** Returns whether the rule of levels shows the item to anonymous visitors. */
export function isPublic({ visibility_now }: Pick<ItemWithVisibility, 'visibility_now'>): boolean {
  return visibility_now === Visibility.public;
}

/** Returns whether the item is in the trash. Only the routes of the trash show trashed items. */
export function isTrashed({ visibility_now }: Pick<ItemWithVisibility, 'visibility_now'>): boolean {
  return visibility_now === Visibility.trash;
}

/**
 * Returns whether the viewer can see the item. Everyone sees a public item, and every signed-in user sees an item for
 * members. Only its owner and admins see a private item.
 */
export function canSee(viewer: Viewer | undefined, item: ItemWithVisibility): boolean {
  if (isPublic(item)) return true;
  if (viewer && item.visibility_now === Visibility.members) return true;
  return !isTrashed(item) && canManageItem(viewer, item);
}

/**
 * Returns whether the viewer can give the item this level: only its owner can show it to more people. If the item leaves
 * an album at the same time, `item.level` is the level that it keeps.
 */
export function canSetLevel(
  viewer: Viewer,
  item: OwnedItem & { level: Level },
  level: Level | undefined,
): boolean {
  return level === undefined || isOwner(viewer, item) || !isWiderLevel(level, item.level);
}

/** Returns whether a link of `sharer` shows the item. Links of other users than the owner show only public items. */
export function canShowByShareLink(sharer: Viewer, item: ItemWithVisibility): boolean {
  return isPublic(item) || (!isTrashed(item) && isOwner(sharer, item));
}

/** Returns the visibilities that the viewer can see among the photos of an album. */
export function listVisibilitiesInAlbum(
  viewer: Viewer | undefined,
  album: OwnedItem,
): VisibilityOutsideTrash[] {
  if (canManageItem(viewer, album)) return [Visibility.public, Visibility.members, Visibility.private];
  return viewer ? [Visibility.public, Visibility.members] : [Visibility.public];
}

/**
 * Returns the viewer without the rights of an admin. Lists that are not about one album show an admin what every member
 * sees.
 */
export function withoutAdminRights<Given extends Viewer | undefined>(viewer: Given): Given {
  return viewer && { ...viewer, isAdmin: false };
}
