/**
 * Updates the visibility of album and photo rows after their album or their owner's account was hidden or shown. Each
 * call is a short transaction, which reads album and account again, because they may have changed since.
 */
import { type SqlBool, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { idsOf } from '../../platform/db/rows.ts';
import { Level, UserStatus, Visibility, type VisibilityOutsideTrash } from '../../platform/db/states.ts';
import type { AlbumRow, Transaction } from '../../platform/db/tables.ts';
import { writeAlbumVisibilities } from './counts.ts';
import { lockPhotos, maxPhotosPerStatement } from './locks.ts';
import { setPhotoVisibility } from './set-visibility.ts';
import { findWidestInAlbum } from './tree.ts';
import { addVisibilityJobs, removeVisibilityJobs, type VisibilityJob } from './visibility-jobs.ts';
import {
  decideVisibility,
  decideVisibilityInSql,
  narrowLevel,
  visibilitiesOutsideTrash,
} from './visibility-rule.ts';

/**
 * Maximum number of photos that change in the same transaction as their album. A background job updates larger
 * albums.
 */
const maxPhotosAtOnce = 2000;

type Album = Pick<AlbumRow, 'id' | 'user_id'>;
type Job = Pick<VisibilityJob, 'id' | 'user_id'>;
type VisibilityDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Writes the visibility of an album. The photos of a small album follow in the same transaction, others by a background
 * job. The caller has locked the owner's library.
 */
export async function writeAlbumVisibility(
  deps: VisibilityDeps,
  transaction: Transaction,
  album: Album,
  to: VisibilityOutsideTrash,
  maxPhotos = maxPhotosAtOnce,
): Promise<void> {
  const wider = await writeAlbumVisibilities(transaction, album.user_id, [album.id], to);
  for (let left = wider > maxPhotos ? 0 : maxPhotos; left > 0; left -= maxPhotosPerStatement) {
    const size = Math.min(left, maxPhotosPerStatement);
    if ((await movePhotosOfAlbum(deps, transaction, album, to, size)) < size) return;
  }
  await addVisibilityJobs(deps, transaction, 'album', album.user_id, [album.id]);
}

/**
 * Updates the visibility of at most `maxPhotos` photos of an album, and returns how many changed. Skips photos that
 * their owner made private, because they are hidden in every album.
 */
async function movePhotosOfAlbum(
  deps: VisibilityDeps,
  transaction: Transaction,
  album: Album,
  ofAlbum: VisibilityOutsideTrash,
  maxPhotos: number,
): Promise<number> {
  // Photos of a disabled account are hidden. The account's own job shows them after an admin enables the account.
  const isEnabled = (await findAccountStatus(transaction, album.user_id)) === UserStatus.enabled;
  const to = isEnabled ? ofAlbum : Visibility.private;
  let moved = 0;
  for (const level of [Level.public, Level.members]) {
    const visibility = narrowLevel(level, to);
    const found = await transaction
      .selectFrom('photos')
      .select('id')
      .where('album_id', '=', album.id)
      .where(
        'visibility',
        'in',
        visibilitiesOutsideTrash.filter((other) => other !== visibility),
      )
      .where('level', '=', level)
      .limit(maxPhotos - moved)
      .execute();
    moved += await moveBatch(deps, transaction, idsOf(found), visibility);
    if (moved === maxPhotos) break;
  }
  return moved;
}

async function moveBatch(
  deps: VisibilityDeps,
  transaction: Transaction,
  ids: number[],
  to: VisibilityOutsideTrash,
): Promise<number> {
  if (ids.length > 0) await setPhotoVisibility(deps, transaction, await lockPhotos(transaction, ids), to);
  return ids.length;
}

/** Returns whether the photos of an album have followed its visibility. The caller has locked the library. */
export async function isAlbumVisibilitySettled(
  transaction: Transaction,
  { id }: Pick<AlbumRow, 'id'>,
): Promise<boolean> {
  const job = await findAlbumJob(transaction, id);
  return !job && (await findTooWidePhotos(transaction, id, 1)).length === 0;
}

/** Lets the photos of an album follow its visibility, batch by batch, until all have followed. */
export async function updateAlbumPhotoVisibility(deps: VisibilityDeps, album: Album): Promise<void> {
  for (;;) {
    const job = await findAlbumJob(deps.db.kysely, album.id);
    if (job) await updateAlbumVisibilityBatch(deps, job);
    else if ((await hideTooWidePhotos(deps, album)) === 0) return;
  }
}

function findAlbumJob(kysely: Deps['db']['kysely'], id: number): Promise<Job | undefined> {
  return kysely
    .selectFrom('visibility_jobs')
    .select(['id', 'user_id'])
    .where('kind', '=', 'album')
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Finds photos whose rows are wider than their album allows. A disabled and enabled account can have such rows. */
async function findTooWidePhotos(transaction: Transaction, albumId: number, max: number): Promise<number[]> {
  const widest = await findWidestInAlbum(transaction, albumId);
  const tooWide = visibilitiesOutsideTrash.slice(visibilitiesOutsideTrash.indexOf(widest) + 1);
  if (tooWide.length === 0) return [];
  const found = await transaction
    .selectFrom('photos')
    .select('id')
    .where('album_id', '=', albumId)
    .where('visibility', 'in', tooWide)
    .limit(max)
    .execute();
  return idsOf(found);
}

/** Hides one batch of photos whose rows are too wide. Returns the number of photos. */
function hideTooWidePhotos(deps: VisibilityDeps, { id, user_id }: Album): Promise<number> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    await deps.db.lock(transaction, { library: user_id });
    const ids = await findTooWidePhotos(transaction, id, maxPhotosPerStatement);
    const photos = ids.length > 0 ? await lockPhotos(transaction, ids) : [];
    const widest = await findWidestInAlbum(transaction, id);
    const moves = photos.map((photo) => ({
      id: photo.id,
      to: decideVisibility(photo, { visibility: widest }),
    }));
    for (const [to, some] of groupByVisibility(moves)) await moveBatch(deps, transaction, some, to);
    return ids.length;
  });
}

/** Lets one batch of an album's photos follow its visibility. The last batch deletes the job. */
export async function updateAlbumVisibilityBatch(
  deps: VisibilityDeps,
  { id, user_id }: Job,
  maxPhotos: number = maxPhotosPerStatement,
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
export async function updateAccountVisibilityBatch(deps: VisibilityDeps, { id }: Job): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    await deps.db.lock(transaction, { library: id });
    const status = await findAccountStatus(transaction, id);
    const isSettled = status !== UserStatus.enabled && status !== UserStatus.disabled;
    const move = status === UserStatus.enabled ? showSome : hideSome;
    if (!isSettled && (await move(deps, transaction, id)) > 0) return;
    // Lock the job's row. A change of the account's status also writes this row, so the status cannot change until
    // this transaction ends.
    await transaction
      .selectFrom('visibility_jobs')
      .select('id')
      .where('kind', '=', 'account')
      .where('id', '=', id)
      .forUpdate()
      .execute();
    if ((await findAccountStatus(transaction, id)) === status) {
      await removeVisibilityJobs(transaction, 'account', [id]);
    }
  });
}

/**
 * Hides one batch of a disabled account's albums, or of its photos when no album is left. Returns the number of changed
 * rows.
 */
async function hideSome(deps: VisibilityDeps, transaction: Transaction, userId: number): Promise<number> {
  const isShown = visibilitiesOutsideTrash.filter((visibility) => visibility !== Visibility.private);
  const [albums, photos] = (['albums', 'photos'] as const).map((table) =>
    transaction
      .selectFrom(table)
      .select('id')
      .where('user_id', '=', userId)
      .where('visibility', 'in', isShown)
      .limit(maxPhotosPerStatement),
  );
  const shownAlbums = await albums!.execute();
  if (shownAlbums.length === 0) {
    return moveBatch(deps, transaction, idsOf(await photos!.execute()), Visibility.private);
  }
  await writeAlbumVisibilities(transaction, userId, idsOf(shownAlbums), Visibility.private);
  return shownAlbums.length;
}

/**
 * Shows one batch of an enabled account's albums, or of its photos when no album is left. Albums change from the top
 * down. Then corrects photos that are too wide. Returns the number of changed rows.
 */
async function showSome(deps: VisibilityDeps, transaction: Transaction, userId: number): Promise<number> {
  const albums = await transaction
    .selectFrom('albums')
    .innerJoin('users', 'users.id', 'albums.user_id')
    .leftJoin('albums as above', 'above.id', 'albums.parent_id')
    .select(['albums.id', decideVisibilityInSql('albums', 'above').as('to')])
    .where('albums.user_id', '=', userId)
    .where('albums.visibility', '=', Visibility.private)
    .where('albums.level', '<>', Level.private)
    .where((is) =>
      is.or([is('albums.parent_id', 'is', null), is('above.visibility', '<>', Visibility.private)]),
    )
    .limit(maxPhotosPerStatement)
    .execute();
  if (albums.length > 0) {
    for (const [to, ids] of groupByVisibility(albums))
      await writeAlbumVisibilities(transaction, userId, ids, to);
    return albums.length;
  }
  const ofAccount = transaction
    .selectFrom('photos')
    .innerJoin('users', 'users.id', 'photos.user_id')
    .leftJoin('albums', 'albums.id', 'photos.album_id')
    .select(['photos.id', decideVisibilityInSql('photos', 'albums').as('to')])
    .where('photos.user_id', '=', userId)
    .limit(maxPhotosPerStatement);
  const hidden = ofAccount
    .where('photos.visibility', '=', Visibility.private)
    .where('photos.level', '<>', Level.private)
    .where((is) =>
      is.or([is('photos.album_id', 'is', null), is('albums.visibility', '<>', Visibility.private)]),
    );
  // Photos can stay visible while the account is disabled for a moment. Their album may have been narrowed meanwhile.
  const tooWide = ofAccount
    .where('photos.visibility', 'in', [Visibility.members, Visibility.public])
    .where(sql<SqlBool>`photos.visibility <> ${decideVisibilityInSql('photos', 'albums')}`);
  for (const query of [hidden, tooWide]) {
    const photos = await query.execute();
    for (const [to, ids] of groupByVisibility(photos)) await moveBatch(deps, transaction, ids, to);
    if (photos.length > 0) return photos.length;
  }
  return 0;
}

function groupByVisibility(
  rows: { id: number; to: VisibilityOutsideTrash }[],
): Map<VisibilityOutsideTrash, number[]> {
  const byVisibility = Map.groupBy(rows, ({ to }) => to);
  return new Map([...byVisibility].map(([to, some]) => [to, idsOf(some)]));
}

/** Returns the status of an account whose library is locked, or undefined if the account was deleted. */
export async function findAccountStatus(
  transaction: Transaction,
  userId: number,
): Promise<UserStatus | undefined> {
  const user = await transaction
    .selectFrom('users')
    .select('status')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.status;
}
