/** Making a share. */

import type { Deps } from '../../deps.ts';
import type { ShareRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { newToken } from '../accounts/tokens.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { getVisibleAlbum } from '../library/albums.ts';
import { canManage } from '../library/permissions.ts';
import { getVisiblePhoto } from '../photos/store.ts';
import type { NewShare } from './schema.ts';
import { insertAlbumShare, insertShare } from './store.ts';

const secondsOfDay = 86_400;

/**
 * Every user may share what is public; only the owner and admins may share what is private. Throws photoNotFound or
 * photoForbidden.
 */
export async function sharePhoto(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  { expires, password }: NewShare,
): Promise<ShareRow> {
  // Before a password is hashed, so that a refusal does not cost that.
  await getVisiblePhoto(deps, viewer, photoId);
  return insertShare(deps, viewer, { photoId, ...(await termsOf(deps, { expires, password })) });
}

/** For owner and admins. Throws albumNotFound or albumForbidden. */
export async function shareAlbum(
  deps: Deps,
  viewer: Viewer,
  albumId: number,
  { expires, password }: NewShare,
): Promise<ShareRow> {
  const album = await getVisibleAlbum(deps, viewer, albumId);
  if (!canManage(viewer, album)) throw errors.albumForbidden();
  return insertAlbumShare(deps, viewer, { albumId, ...(await termsOf(deps, { expires, password })) });
}

async function termsOf(deps: Deps, { expires, password }: Pick<NewShare, 'expires' | 'password'>) {
  return {
    token: newToken(),
    passwordHash: password === undefined ? '' : await hashPassword(password, deps.config.passwordCosts),
    expireTime: expires === undefined ? null : deps.clock() + expires * secondsOfDay,
  };
}
