/** SQL of one album: found, with the rule of who may see and change it. */
import type { Deps } from '../../deps.ts';
import type { UserStatus, Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../identity/viewer.ts';
import { canManage, canSee } from './permissions.ts';
import { albumOwnerStatus, albumVisibilityNow } from './visible.ts';

/** With what decides over who sees it. */
export type FoundAlbum = AlbumRow & { owner_status: UserStatus; visibility_now: Visibility };

/** An album that the viewer may see. Throws albumNotFound or albumForbidden. */
export async function getVisibleAlbum(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer | undefined,
  id: number,
): Promise<FoundAlbum> {
  const album = await findAlbum(db.kysely, id);
  if (!album) throw errors.albumNotFound();
  if (!canSee(viewer, album)) throw errors.albumForbidden();
  return album;
}

/**
 * The album, to be changed by its owner or an admin, with its owner's library locked: it, what is above and below
 * it, and which photos it has stay as they are read until the transaction ends. Throws albumNotFound or albumForbidden.
 */
export async function lockAlbum(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  viewer: Viewer,
  id: number,
): Promise<FoundAlbum> {
  const found = await findAlbum(transaction, id);
  if (!found) throw errors.albumNotFound();
  if (!canManage(viewer, found)) throw errors.albumForbidden();
  await db.lock(transaction, { library: found.user_id });
  // It may have changed, or gone, while another transaction held the lock.
  const album = await findAlbum(transaction, id);
  if (!album) throw errors.albumNotFound();
  return album;
}

/**
 * The album that a photo or album of `ownerId`, whose library is locked, is to be put into. Only the owner's own albums
 * take it, also when an admin asks, and no smart one. Throws albumNotFound, albumForbidden or albumIsSmart.
 */
export async function getAlbumFor(
  transaction: Pick<Transaction, 'selectFrom'>,
  ownerId: number,
  id: number,
): Promise<FoundAlbum> {
  const album = await findAlbum(transaction, id);
  if (!album) throw errors.albumNotFound();
  if (album.user_id !== ownerId) throw errors.albumForbidden();
  if (isSmart(album)) throw errors.albumIsSmart();
  return album;
}

/** Whether a rule finds its photos. An album stays what it was made as. */
export function isSmart({ rule }: Pick<AlbumRow, 'rule'>): boolean {
  return rule !== null;
}

/** As `lockAlbum`, for what changes the photos that are in it. Throws albumIsSmart where none are. */
export async function lockFilledAlbum(
  deps: Pick<Deps, 'db'>,
  transaction: Transaction,
  viewer: Viewer,
  id: number,
): Promise<FoundAlbum> {
  const album = await lockAlbum(deps, transaction, viewer, id);
  if (isSmart(album)) throw errors.albumIsSmart();
  return album;
}

export function findAlbum(
  kysely: Pick<Transaction, 'selectFrom'>,
  id: number,
): Promise<FoundAlbum | undefined> {
  return kysely
    .selectFrom('albums')
    .selectAll()
    .select([albumOwnerStatus, albumVisibilityNow()])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The album that a photo is in. */
export async function albumOf(
  transaction: Pick<Transaction, 'selectFrom'>,
  photo: Pick<PhotoRow, 'album_id'>,
): Promise<FoundAlbum | undefined> {
  return photo.album_id === null ? undefined : findAlbum(transaction, photo.album_id);
}
