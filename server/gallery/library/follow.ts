/**
 * Updates the visibility of album and photo rows after their album or their owner's account was hidden or shown.
 * Each call updates one batch in a short transaction. Each transaction reads the album and the account again,
 * because one of them may have changed after the job was queued.
 */
import type { Deps } from '../../deps.ts';
import { idsOf } from '../../platform/db/rows.ts';
import { type ListedVisibility, UserStatus, Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, Transaction } from '../../platform/db/tables.ts';
import { writeAlbums } from './counts.ts';
import { chunkSize, lockPhotos } from './locks.ts';
import { setVisibility } from './set-visibility.ts';
import { addVisibilityJobs, removeVisibilityJobs, type VisibilityJob } from './visibility-jobs.ts';

/**
 * Maximum number of photos that change in the same transaction as their album. A background job updates larger
 * albums.
 */
const maxPhotosAtOnce = 2000;

type Album = Pick<AlbumRow, 'id' | 'user_id'>;
type Job = Pick<VisibilityJob, 'id' | 'user_id'>;
type VisibilityDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Writes the visibility of an album and the counts of its photos. The photos of a small album follow in the same
 * transaction, others by a background job. The caller has locked the owner's library.
 */
export async function writeAlbumVisibility(
  deps: VisibilityDeps,
  transaction: Transaction,
  album: Album,
  to: ListedVisibility,
  maxPhotos = maxPhotosAtOnce,
): Promise<void> {
  const hidden = await writeAlbums(transaction, album.user_id, [album.id], to);
  for (let left = hidden > maxPhotos ? 0 : maxPhotos; left > 0; left -= chunkSize) {
    const size = Math.min(left, chunkSize);
    if ((await movePhotosOfAlbum(deps, transaction, album, to, size)) < size) return;
  }
  await addVisibilityJobs(deps, transaction, 'album', album.user_id, [album.id]);
}

/**
 * Updates the visibility of at most `most` photos of an album, and returns how many changed. Skips photos that
 * their owner made private, because they are hidden in every album.
 */
async function movePhotosOfAlbum(
  deps: VisibilityDeps,
  transaction: Transaction,
  album: Album,
  to: ListedVisibility,
  maxPhotos: number,
): Promise<number> {
  // Photos of a disabled account stay hidden. The account's own job shows them after an admin enables the account.
  const isShown = to === Visibility.public;
  if (isShown && (await findStatus(transaction, album.user_id)) !== UserStatus.enabled) return 0;
  const found = await transaction
    .selectFrom('photos')
    .select('id')
    .where('album_id', '=', album.id)
    .where('visibility', '=', isShown ? Visibility.private : Visibility.public)
    .where('is_public', '=', 1)
    .limit(maxPhotos)
    .execute();
  return moveBatch(deps, transaction, idsOf(found), to);
}

async function moveBatch(
  deps: VisibilityDeps,
  transaction: Transaction,
  ids: number[],
  to: ListedVisibility,
): Promise<number> {
  if (ids.length > 0) await setVisibility(deps, transaction, await lockPhotos(transaction, ids), to);
  return ids.length;
}

export async function followAlbum(
  deps: VisibilityDeps,
  { id, user_id }: Job,
  maxPhotos: number = chunkSize,
): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    await deps.db.lock(transaction, { library: user_id });
    const album = await transaction
      .selectFrom('albums')
      .select(['id', 'user_id', 'visibility'])
      .where('id', '=', id)
      .executeTakeFirst();
    const moved = album ? await movePhotosOfAlbum(deps, transaction, album, album.visibility, maxPhotos) : 0;
    if (moved < maxPhotos) await removeVisibilityJobs(transaction, 'album', [id]);
  });
}

/**
 * Moves one batch of an account's albums and photos to the visibility that its status demands. Skips an account
 * that is being deleted, which `gallery/admin/erase` handles.
 */
export async function followAccount(deps: VisibilityDeps, { id }: Job): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    await deps.db.lock(transaction, { library: id });
    const status = await findStatus(transaction, id);
    const isSettled = status !== UserStatus.enabled && status !== UserStatus.disabled;
    const to = status === UserStatus.enabled ? Visibility.public : Visibility.private;
    if (!isSettled && (await moveSome(deps, transaction, id, to)) > 0) return;
    // Lock the job's row. A change of the account's status also writes this row, so the status cannot change until
    // this transaction ends.
    await transaction
      .selectFrom('visibility_jobs')
      .select('id')
      .where('kind', '=', 'account')
      .where('id', '=', id)
      .forUpdate()
      .execute();
    if ((await findStatus(transaction, id)) === status) {
      await removeVisibilityJobs(transaction, 'account', [id]);
    }
  });
}

/**
 * Updates the visibility of one batch of an account's albums, or of its photos when no album is left. Albums change
 * from the top down. Returns the number of changed rows.
 */
async function moveSome(
  deps: VisibilityDeps,
  transaction: Transaction,
  userId: number,
  to: ListedVisibility,
): Promise<number> {
  const isShown = to === Visibility.public;
  const albums = await transaction
    .selectFrom('albums')
    .leftJoin('albums as above', 'above.id', 'albums.parent_id')
    .select('albums.id')
    .where('albums.user_id', '=', userId)
    .where('albums.visibility', '=', isShown ? Visibility.private : Visibility.public)
    .$if(isShown, (some) =>
      some
        .where('albums.is_public', '=', 1)
        .where((is) =>
          is.or([is('albums.parent_id', 'is', null), is('above.visibility', '=', Visibility.public)]),
        ),
    )
    .limit(chunkSize)
    .execute();
  if (albums.length > 0) {
    await writeAlbums(transaction, userId, idsOf(albums), to);
    return albums.length;
  }
  const photos = await transaction
    .selectFrom('photos')
    .select('id')
    .where('user_id', '=', userId)
    .where('visibility', '=', isShown ? Visibility.private : Visibility.public)
    .$if(isShown, (some) =>
      some
        .where('is_public', '=', 1)
        .where((is) =>
          is.or([
            is('album_id', 'is', null),
            is('album_id', 'in', (shown) =>
              shown
                .selectFrom('albums')
                .select('albums.id')
                .where('albums.user_id', '=', userId)
                .where('albums.visibility', '=', Visibility.public),
            ),
          ]),
        ),
    )
    .limit(chunkSize)
    .execute();
  return moveBatch(deps, transaction, idsOf(photos), to);
}

/** Returns the status of an account whose library is locked, or undefined if the account was deleted. */
export async function findStatus(transaction: Transaction, userId: number): Promise<UserStatus | undefined> {
  const user = await transaction
    .selectFrom('users')
    .select('status')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.status;
}
