/** Making a share. */

import type { Deps } from '../../deps.ts';
import type { ShareRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { createPasswords } from '../accounts/passwords.ts';
import { newToken } from '../accounts/tokens.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { getVisibleAlbum, lockAlbum } from '../library/albums.ts';
import { lockPhoto } from '../library/locks.ts';
import { canManage, canSee, isTrashed } from '../library/permissions.ts';
import { getVisiblePhoto } from '../photos/store.ts';
import type { NewShare } from './schema.ts';

const secondsOfDay = 86_400;

/**
 * Every user may share a photo that is public; one that is private, and any album, only the owner and admins. Throws
 * photoNotFound, photoForbidden, albumNotFound or albumForbidden.
 */
export async function createShare(
  deps: Deps & { passwords: ReturnType<typeof createPasswords> },
  viewer: Viewer,
  { type, id }: { type: 'photo' | 'album'; id: number },
  { expires, password }: NewShare,
): Promise<ShareRow> {
  // Before a password is hashed, so that a refusal does not cost that.
  if (type === 'photo') await getVisiblePhoto(deps, viewer, id);
  else if (!canManage(viewer, await getVisibleAlbum(deps, viewer, id))) throw errors.albumForbidden();
  const passwordHash = password === undefined ? '' : await deps.passwords.hash(password);
  const now = deps.clock();
  return deps.db.kysely.transaction().execute(async (transaction) => {
    // It may have been hidden or deleted while the password was hashed.
    if (type === 'album') await lockAlbum(deps, transaction, viewer, id);
    else {
      const photo = await lockPhoto(transaction, id);
      if (!photo || isTrashed(photo)) throw errors.photoNotFound();
      if (!canSee(viewer, photo)) throw errors.photoForbidden();
    }
    return transaction
      .insertInto('shares')
      .values({
        token: newToken(),
        user_id: viewer.id,
        type,
        photo_id: type === 'photo' ? id : null,
        album_id: type === 'album' ? id : null,
        password_hash: passwordHash,
        expire_time: expires === undefined ? null : now + expires * secondsOfDay,
        views: 0,
        create_time: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}
