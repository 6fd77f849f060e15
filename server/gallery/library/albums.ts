/** Reads and locks one album, and checks who can see and change it. */
import type { Deps } from '../../deps.ts';
import type { UserStatus, Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../identity/viewer.ts';
import { canManageItem, canSee } from './permissions.ts';
import { albumCurrentVisibilityColumn, albumOwnerStatusColumn } from './visibility-sql.ts';

/** Row of an album with its owner's status and its current visibility, which decide who sees the album. */
export type AlbumWithVisibility = AlbumRow & { owner_status: UserStatus; visibility_now: Visibility };

/** Returns an album that the viewer can see. Throws albumNotFound or albumForbidden. */
export async function getVisibleAlbum(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer | undefined,
  id: number,
): Promise<AlbumWithVisibility> {
  const album = await findAlbum(db.kysely, id);
  if (!album) throw errors.albumNotFound();
  if (!canSee(viewer, album)) throw errors.albumForbidden();
  return album;
}

/**
 * Locks the library of an album's owner and returns the album, for a change by its owner or an admin. The album,
 * its photos and the albums above and below it cannot change until the transaction ends. Throws albumNotFound or
 * albumForbidden.
 */
export async function lockAlbum(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  viewer: Viewer,
  id: number,
): Promise<AlbumWithVisibility> {
  const found = await findAlbum(transaction, id);
  if (!found) throw errors.albumNotFound();
  if (!canManageItem(viewer, found)) throw errors.albumForbidden();
  await db.lock(transaction, { library: found.user_id });
  // Read the album again, because another transaction that held the lock may have changed or deleted it.
  const album = await findAlbum(transaction, id);
  if (!album) throw errors.albumNotFound();
  return album;
}

/**
 * Returns the album that will contain a photo or an album of `ownerId`. The album must belong to the same owner,
 * even for an admin, and must not be a smart album. The caller has locked the owner's library. Throws
 * albumNotFound, albumForbidden or albumIsSmart.
 */
export async function getTargetAlbum(
  transaction: Pick<Transaction, 'selectFrom'>,
  ownerId: number,
  id: number,
): Promise<AlbumWithVisibility> {
  const album = await findAlbum(transaction, id);
  if (!album) throw errors.albumNotFound();
  if (album.user_id !== ownerId) throw errors.albumForbidden();
  if (isSmartAlbum(album)) throw errors.albumIsSmart();
  return album;
}

/** Returns whether the album is a smart album. A smart album never becomes an ordinary album, nor the reverse. */
export function isSmartAlbum({ rule }: Pick<AlbumRow, 'rule'>): boolean {
  return rule !== null;
}

/**
 * Locks an album like `lockAlbum`, for a change to the photos in the album. Throws albumIsSmart for a smart album,
 * because a smart album contains no photos.
 */
export async function lockOrdinaryAlbum(
  deps: Pick<Deps, 'db'>,
  transaction: Transaction,
  viewer: Viewer,
  id: number,
): Promise<AlbumWithVisibility> {
  const album = await lockAlbum(deps, transaction, viewer, id);
  if (isSmartAlbum(album)) throw errors.albumIsSmart();
  return album;
}

export function findAlbum(
  kysely: Pick<Transaction, 'selectFrom'>,
  id: number,
): Promise<AlbumWithVisibility | undefined> {
  return kysely
    .selectFrom('albums')
    .selectAll()
    .select([albumOwnerStatusColumn, albumCurrentVisibilityColumn()])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns the main album of a photo, or undefined if the photo is in no album. */
export async function findMainAlbum(
  transaction: Pick<Transaction, 'selectFrom'>,
  photo: Pick<PhotoRow, 'album_id'>,
): Promise<AlbumWithVisibility | undefined> {
  return photo.album_id === null ? undefined : findAlbum(transaction, photo.album_id);
}
