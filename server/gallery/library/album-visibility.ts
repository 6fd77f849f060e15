/** Creates and deletes albums, and passes the visibility of an album down to the albums and photos in it. */
import type { Insertable } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type ListedVisibility, UserStatus, Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, AlbumsTable, Transaction } from '../../platform/db/tables.ts';
import { findStatus, writeAlbumVisibility } from './follow.ts';
import { writing } from './tables.ts';
import { findBranch } from './tree.ts';
import { addVisibilityJobs, removeVisibilityJobs } from './visibility-jobs.ts';
import { decideVisibility } from './visibility-rule.ts';

/**
 * Inserts an album into `parent`, or at the top level without a parent. The caller has locked the owner's library.
 * Returns the id of the new album.
 */
export async function addAlbum(
  transaction: Transaction,
  album: Omit<Insertable<AlbumsTable>, 'parent_id'>,
  parent: AlbumRow | undefined,
): Promise<number> {
  const owner_status = (await findStatus(transaction, album.user_id)) ?? UserStatus.deleting;
  const visibility = decideVisibility({ is_public: album.is_public, owner_status }, parent);
  const { id } = await writing(transaction)
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
  const branch = await findBranch(transaction, rootId);
  const [root] = branch;
  if (!root) return;
  const now = new Map<number, { visibility: ListedVisibility }>();
  if (root.parent_id !== null) now.set(root.parent_id, await visibilityOfAlbum(transaction, root.parent_id));
  const owner_status = (await findStatus(transaction, root.user_id)) ?? UserStatus.deleting;
  for (const { id, user_id, parent_id, is_public, visibility } of branch) {
    const above = parent_id === null ? undefined : now.get(parent_id);
    const visible = decideVisibility({ is_public, owner_status }, above);
    now.set(id, { visibility: visible });
    if (visible === visibility) continue;
    await writeAlbumVisibility(deps, transaction, { id, user_id }, visible, maxPhotos);
  }
}

function visibilityOfAlbum(transaction: Transaction, id: number): Promise<{ visibility: ListedVisibility }> {
  return transaction.selectFrom('albums').select('visibility').where('id', '=', id).executeTakeFirstOrThrow();
}

/** Number of photos that one statement removes from an album. The bound keeps the statement within its time limit. */
const photosAtOnce = 20_000;

/**
 * Deletes an album whose owner's library the caller has locked. Its inner albums move up one level. The album's
 * photos, including trashed ones, stay without an album. A private album then no longer hides its public photos.
 */
export async function removeAlbum(
  deps: Pick<Deps, 'db' | 'clock'>,
  transaction: Transaction,
  album: AlbumRow,
): Promise<void> {
  if (album.visibility !== Visibility.public) {
    await writeAlbumVisibility(deps, transaction, album, Visibility.public);
  }
  await removeAlbumJob(deps, transaction, album);
  await clearCovers(transaction, album);
  await emptyAlbum(transaction, album.id);
  const inner = await transaction
    .updateTable('albums')
    .set({ parent_id: album.parent_id })
    .where('parent_id', '=', album.id)
    .returning('id')
    .execute();
  await transaction.deleteFrom('albums').where('id', '=', album.id).execute();
  for (const child of inner) await setAlbumVisibility(deps, transaction, child);
}

/**
 * Replaces the visibility job of an album in deletion by a job of its owner's account. The album's photos will be
 * in no album, so only the account decides about them.
 */
async function removeAlbumJob(
  deps: Pick<Deps, 'db'>,
  transaction: Transaction,
  { id, user_id }: AlbumRow,
): Promise<void> {
  if (!(await removeVisibilityJobs(transaction, 'album', [id]))) return;
  await addVisibilityJobs(deps, transaction, 'account', user_id, [user_id]);
}

async function emptyAlbum(transaction: Transaction, id: number): Promise<void> {
  for (;;) {
    const photos = transaction
      .selectFrom('photos')
      .select('id')
      .where('album_id', '=', id)
      .orderBy('id')
      .limit(photosAtOnce)
      .forUpdate();
    const { numUpdatedRows } = await writing(transaction)
      .updateTable('photos')
      .set({ album_id: null, album_position: 0 })
      .where('id', 'in', photos)
      .executeTakeFirst();
    if (Number(numUpdatedRows) < photosAtOnce) return;
  }
}

/** Clears the covers that show a photo of this album, on this album and on the albums above it. */
async function clearCovers(transaction: Transaction, { id, user_id }: AlbumRow): Promise<void> {
  await transaction
    .updateTable('albums')
    .set({ cover_id: null })
    .where('user_id', '=', user_id)
    .where('cover_id', 'in', (query) => query.selectFrom('photos').select('id').where('album_id', '=', id))
    .execute();
}
