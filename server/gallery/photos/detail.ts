/** Reads the details of a photo in one query and counts a view. */

import type { Deps } from '../../deps.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createViewerPathSigner } from '../delivery/paths.ts';
import type { Viewer } from '../identity/viewer.ts';
import { canSee, isOwner, isTrashed } from '../library/permissions.ts';
import { recordAdminLook } from '../moderation/admin-looks.ts';
import { presentPhoto } from './present.ts';
import type { Photo } from './schema.ts';
import { createFindPhotoDetail } from './store.ts';

/**
 * Returns the function that reads a photo's details. The function throws photoNotFound or photoForbidden. If `isView`
 * is true, a view is counted and included in the result, except for owners who look at their photos in a browser.
 */
export function createReadPhotoDetail(deps: Deps) {
  const find = createFindPhotoDetail(deps);
  return async (viewer: Viewer | undefined, id: number, isView: boolean): Promise<Photo> => {
    const row = await find(id, viewer?.id ?? 0);
    if (!row || isTrashed(row)) throw errors.photoNotFound();
    if (!canSee(viewer, row)) throw errors.photoForbidden();
    recordAdminLook(deps, viewer, row);
    const photo = presentPhoto(row, viewer, createViewerPathSigner(deps, viewer));
    const isOwnLook = viewer?.hasCookie && viewer.id === row.user_id;
    if (!isView || isOwnLook) return photo;
    deps.db.counters.count('photoViews', id);
    return { ...photo, views: photo.views + 1 };
  };
}

/** Returns the function that reads the details of a photo in the viewer's trash. The function throws photoNotFound. */
export function createReadTrashedPhoto(deps: Deps) {
  const find = createFindPhotoDetail(deps);
  return async (viewer: Viewer, id: number): Promise<Photo> => {
    const row = await find(id, viewer.id);
    if (!row || !isTrashed(row) || !isOwner(viewer, row)) throw errors.photoNotFound();
    return presentPhoto(row, viewer, createViewerPathSigner(deps, viewer));
  };
}
