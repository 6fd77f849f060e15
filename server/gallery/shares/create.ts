/** Creates share links. */

import type { Updateable } from 'kysely';
import type { Deps } from '../../deps.ts';
import { countRows } from '../../platform/db/rows.ts';
import type { ShareRow, Transaction } from '../../platform/db/tables.ts';
import type { SharesTable } from '../../platform/db/tables-shares.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { createPasswordHashing } from '../identity/passwords.ts';
import { newToken } from '../identity/tokens.ts';
import { lockEnabledUser } from '../identity/users.ts';
import type { Viewer } from '../identity/viewer.ts';
import { getVisibleAlbum, lockAlbum } from '../library/albums.ts';
import { lockPhoto } from '../library/locks.ts';
import { canManageItem, isOwner, isPublic, isTrashed } from '../library/permissions.ts';
import { getVisiblePhoto } from '../photos/store.ts';
import type { NewShare } from './schema.ts';

const secondsOfDay = 86_400;

/** Maximum number of links of one account, including expired links. */
const maxShares = 1000;

/** Settings of a link. Null removes a setting, and undefined leaves the setting unchanged. */
export type ShareRules = Omit<NewShare, 'type'>;

/** Converts the given settings into columns of the share's row. */
export async function toShareColumns(
  deps: Pick<Deps, 'clock'> & { passwords: ReturnType<typeof createPasswordHashing> },
  { expires, password, allow_download, max_views }: ShareRules,
): Promise<Updateable<SharesTable>> {
  return {
    ...(expires !== undefined && {
      expire_time: expires === null ? null : deps.clock() + expires * secondsOfDay,
    }),
    ...(password !== undefined && {
      password_hash: password === null ? '' : await deps.passwords.hash(password),
    }),
    ...(allow_download !== undefined && { allow_download: allow_download ? 1 : 0 }),
    ...(max_views !== undefined && { max_views }),
  };
}

/**
 * Creates a share link. Every user can share a public photo, and admins can share a public album. Only the owner can
 * share photos and albums that are not public. Throws photoNotFound, photoForbidden, albumNotFound, albumForbidden, or
 * invalid if the user has too many links.
 */
export async function createShare(
  deps: Deps & { passwords: ReturnType<typeof createPasswordHashing> },
  viewer: Viewer,
  { type, id }: { type: 'photo' | 'album'; id: number },
  { type: _, ...rules }: NewShare,
): Promise<ShareRow> {
  // Permissions are checked before a password is hashed, because hashing is expensive.
  if (type === 'photo') checkPhoto(viewer, await getVisiblePhoto(deps, viewer, id));
  else checkAlbum(viewer, await getVisibleAlbum(deps, viewer, id));
  const given = await toShareColumns(deps, rules);
  const now = deps.clock();
  return deps.db.kysely.transaction().execute(async (transaction) => {
    // The photo or album may have been hidden or deleted while the password was hashed.
    if (type === 'album') checkAlbum(viewer, await lockAlbum(deps, transaction, viewer, id));
    else {
      const photo = await lockPhoto(transaction, id);
      if (!photo || isTrashed(photo)) throw errors.photoNotFound();
      checkPhoto(viewer, photo);
    }
    await refuseTooMany(transaction, viewer.id);
    return transaction
      .insertInto('shares')
      .values({
        token: newToken(),
        user_id: viewer.id,
        type,
        photo_id: type === 'photo' ? id : null,
        album_id: type === 'album' ? id : null,
        password_hash: '',
        expire_time: null,
        max_views: null,
        last_view_time: null,
        views: 0,
        create_time: now,
        ...given,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

type SharedItem = Parameters<typeof isPublic>[0] & Parameters<typeof isOwner>[1];

function checkPhoto(viewer: Viewer, photo: SharedItem): void {
  if (!isPublic(photo) && !isOwner(viewer, photo)) throw errors.photoForbidden();
}

function checkAlbum(viewer: Viewer, album: SharedItem): void {
  const isAllowed = isPublic(album) ? canManageItem(viewer, album) : isOwner(viewer, album);
  if (!isAllowed) throw errors.albumForbidden();
}

/**
 * Throws invalid if the account has too many links. Locks the account, so that two requests cannot both create the last
 * allowed link.
 */
async function refuseTooMany(transaction: Transaction, userId: number): Promise<void> {
  await lockEnabledUser(transaction, userId);
  const n = await countRows(transaction.selectFrom('shares').where('user_id', '=', userId));
  if (n < maxShares) return;
  const message = `There are already ${maxShares} links. Revoke one first.`;
  throw errors.invalid({
    message,
    fields: { type: [`There are already ${maxShares} links; revoke one first`] },
  });
}
