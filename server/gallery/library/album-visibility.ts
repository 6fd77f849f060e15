/** Creates and deletes albums, and passes the visibility of an album down to the albums and photos in it. */
import type { Insertable } from 'kysely';
import type { Deps } from '../../deps.ts';
import { UserStatus, Visibility, type VisibilityOutsideTrash } from '../../platform/db/states.ts';
import type { AlbumRow, AlbumsTable, Transaction } from '../../platform/db/tables.ts';
import { clearLostCovers } from './album-photos.ts';
import { writeAlbumVisibilities } from './counts.ts';
import { findAccountStatus, writeAlbumVisibility } from './follow.ts';
import { asLibraryWriter } from './tables.ts';
import { findAlbumBranch, findWidestInAlbum } from './tree.ts';
import { removeVisibilityJobs } from './visibility-jobs.ts';
import { decideVisibility, narrowLevelInSql } from './visibility-rule.ts';

/**
 * Inserts an album into `parent`, or at the top level without a parent. The caller has locked the owner's library.
 * Returns the id of the new album.
 */
export async function addAlbum(
  transaction: Transaction,
  album: Omit<Insertable<AlbumsTable>, 'parent_id'>,
  parent: AlbumRow | undefined,
): Promise<number> {
  const owner_status = (await findAccountStatus(transaction, album.user_id)) ?? UserStatus.deleting;
  const visibility = decideVisibility({ level: album.level, owner_status }, parent);
  const { id } = await asLibraryWriter(transaction)
    .insertInto('albums')
    .values({ ...album, visibility, parent_id: parent?.id ?? null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Recomputes the visibility of an album and of every album below it. The caller has locked the owner's library. */
export async function setAlbumVisibility(
  deps: Pick<Deps, 'db' | 'clock'>,
  transaction: Transaction,
  { id: rootId }: Pick<AlbumRow, 'id'>,
  /** Maximum number of photos per album that this transaction updates. A background job updates the other photos. */
  maxPhotos?: number,
): Promise<void> {
  const branch = await findAlbumBranch(transaction, rootId);
  const [root] = branch;
  if (!root) return;
  const now = new Map<number, { visibility: VisibilityOutsideTrash }>();
  if (root.parent_id !== null) now.set(root.parent_id, await visibilityOfAlbum(transaction, root.parent_id));
  const owner_status = (await findAccountStatus(transaction, root.user_id)) ?? UserStatus.deleting;
  for (const { id, user_id, parent_id, level, visibility } of branch) {
    const above = parent_id === null ? undefined : now.get(parent_id);
    const visible = decideVisibility({ level, owner_status }, above);
    now.set(id, { visibility: visible });
    if (visible === visibility) continue;
    await writeAlbumVisibility(deps, transaction, { id, user_id }, visible, maxPhotos);
  }
}

function visibilityOfAlbum(
  transaction: Transaction,
  id: number,
): Promise<{ visibility: VisibilityOutsideTrash }> {
  return transaction.selectFrom('albums').select('visibility').where('id', '=', id).executeTakeFirstOrThrow();
}

/** Number of photos that one statement removes from an album. The bound keeps the statement within its time limit. */
const photosAtOnce = 20_000;

/**
 * Deletes an album whose owner's library the caller has locked, and whose photos have followed its visibility. Its
 * inner albums move up one step. Its photos, including trashed ones, stay without a main album, and references to photos
 * end. Photos and inner albums keep the visibility that they had in the album.
 */
export async function removeAlbum(
  deps: Pick<Deps, 'db' | 'clock'>,
  transaction: Transaction,
  album: AlbumRow,
): Promise<void> {
  const most = await findWidestInAlbum(transaction, album.id);
  await removeVisibilityJobs(transaction, 'album', [album.id]);
  const covers = await findCoversIn(transaction, album);
  // While an account is being disabled, its albums are hidden before its photos. Without their album, the photos count
  // again as their rows say.
  await writeAlbumVisibilities(transaction, album.user_id, [album.id], Visibility.public);
  await emptyAlbum(transaction, album.id, most);
  const inner = await transaction
    .updateTable('albums')
    .set({ parent_id: album.parent_id, level: narrowLevelInSql(most) })
    .where('parent_id', '=', album.id)
    .returning('id')
    .execute();
  await transaction.deleteFrom('albums').where('id', '=', album.id).execute();
  await clearLostCovers(transaction, covers);
  for (const child of inner) await setAlbumVisibility(deps, transaction, child);
}

async function emptyAlbum(transaction: Transaction, id: number, most: VisibilityOutsideTrash): Promise<void> {
  for (;;) {
    const photos = transaction
      .selectFrom('photos')
      .select('id')
      .where('album_id', '=', id)
      .orderBy('id')
      .limit(photosAtOnce)
      .forUpdate();
    const { numUpdatedRows } = await asLibraryWriter(transaction)
      .updateTable('photos')
      .set({ album_id: null, level: narrowLevelInSql(most) })
      .where('id', 'in', photos)
      .executeTakeFirst();
    if (Number(numUpdatedRows) < photosAtOnce) break;
  }
  for (;;) {
    const contained = transaction
      .selectFrom('album_photos')
      .select('photo_id')
      .where('album_id', '=', id)
      .limit(photosAtOnce);
    const { numDeletedRows } = await asLibraryWriter(transaction)
      .deleteFrom('album_photos')
      .where('album_id', '=', id)
      .where('photo_id', 'in', contained)
      .executeTakeFirst();
    if (Number(numDeletedRows) < photosAtOnce) return;
  }
}

/** Returns the photos in an album that are the cover of an album of the same owner. */
async function findCoversIn(transaction: Transaction, { id, user_id }: AlbumRow): Promise<number[]> {
  const covers = await transaction
    .selectFrom('albums')
    .innerJoin('album_photos', 'album_photos.photo_id', 'albums.cover_id')
    .select('album_photos.photo_id')
    .distinct()
    .where('albums.user_id', '=', user_id)
    .where('album_photos.album_id', '=', id)
    .execute();
  return covers.map(({ photo_id }) => photo_id);
}
