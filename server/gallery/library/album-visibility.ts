/**
 * Who sees an album flows down: from it to the albums in it, and to the photos of all of them. So albums are made, put
 * elsewhere and taken away here.
 */
import type { Insertable } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type Shown, UserStatus, Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, AlbumsTable, Transaction } from '../../platform/db/tables.ts';
import { findStatus, writeAlbumVisibility } from './follow.ts';
import { visibilityOf } from './rule.ts';
import { writing } from './tables.ts';
import { findBranch } from './tree.ts';
import { addVisibilityJobs, removeVisibilityJobs } from './visibility-jobs.ts';

/** Makes an album in `parent`, or at the top; the owner's library is locked. Returns its id. */
export async function addAlbum(
  transaction: Transaction,
  album: Omit<Insertable<AlbumsTable>, 'parent_id'>,
  parent: AlbumRow | undefined,
): Promise<number> {
  const owner_status = (await findStatus(transaction, album.user_id)) ?? UserStatus.deleting;
  const visibility = visibilityOf({ is_public: album.is_public, owner_status }, parent);
  const { id } = await writing(transaction)
    .insertInto('albums')
    .values({ ...album, visibility, parent_id: parent?.id ?? null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Makes the visibility of the album and all below it what it should be now. The owner's library is locked. */
export async function setAlbumVisibility(
  deps: Pick<Deps, 'db' | 'clock'>,
  transaction: Transaction,
  { id: rootId }: Pick<AlbumRow, 'id'>,
  /** Photos of an album that follow in this transaction. */
  most?: number,
): Promise<void> {
  const branch = await findBranch(transaction, rootId);
  const [root] = branch;
  if (!root) return;
  const now = new Map<number, { visibility: Shown }>();
  if (root.parent_id !== null) now.set(root.parent_id, await visibilityOfAlbum(transaction, root.parent_id));
  const owner_status = (await findStatus(transaction, root.user_id)) ?? UserStatus.deleting;
  for (const { id, user_id, parent_id, is_public, visibility } of branch) {
    const above = parent_id === null ? undefined : now.get(parent_id);
    const visible = visibilityOf({ is_public, owner_status }, above);
    now.set(id, { visibility: visible });
    if (visible === visibility) continue;
    await writeAlbumVisibility(deps, transaction, { id, user_id }, visible, most);
  }
}

function visibilityOfAlbum(transaction: Transaction, id: number): Promise<{ visibility: Shown }> {
  return transaction.selectFrom('albums').select('visibility').where('id', '=', id).executeTakeFirstOrThrow();
}

/** So that no statement takes longer than one may. */
const photosAtOnce = 20_000;

/**
 * Takes an album away, with its owner's library locked: its photos, those in the trash too, are in no album from now
 * on, and a private album no longer hides the public ones; the albums in it move up.
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

/** Photos that did not follow yet lose their album soon. From then on they follow their owner's account. */
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

/** A photo of this album may stand on the cover of one above. */
async function clearCovers(transaction: Transaction, { id, user_id }: AlbumRow): Promise<void> {
  await transaction
    .updateTable('albums')
    .set({ cover_id: null })
    .where('user_id', '=', user_id)
    .where('cover_id', 'in', (query) => query.selectFrom('photos').select('id').where('album_id', '=', id))
    .execute();
}
