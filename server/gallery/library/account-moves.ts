/**
 * Hides what a disabled account holds, and shows it again when the account is enabled. `library_moves` names the
 * accounts that wait for it; their photos are moved a chunk at a time, each chunk in a short transaction, and a crash
 * leaves the rest for the next start. Until then single photos, albums, images and links ask the account itself, and
 * lists leave out its items. Why: docs/adr/0024-hidden-replaced-and-counted.md.
 */

import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { levelOf } from '../../platform/db/dialect.ts';
import { idsOf } from '../../platform/db/rows.ts';
import { UserStatus, Visibility } from '../../platform/db/states.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { statusOf, takeBack } from './album-photos.ts';
import { chunkSize, lockPhotos } from './locks.ts';
import { place } from './place.ts';
import { finishSearchMoves } from './search-moves.ts';
import { writing } from './tables.ts';

/** Notes that the account's photos and albums have to follow its status: in the transaction that changes it. */
export async function noteLibraryMove(transaction: Transaction, userId: number): Promise<void> {
  await transaction
    .insertInto('library_moves')
    .values({ user_id: userId })
    // A row that is there is locked, so that who is about to delete it (`isSettled`) waits for this change of status.
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
    .execute();
}

/** Returns how many accounts are done. Safe to run in several processes. */
export async function moveLibraries(deps: Deps, stop?: AbortSignal): Promise<number> {
  let done = 0;
  for (let after = 0; !stop?.aborted; ) {
    const next = await deps.db.kysely
      .selectFrom('library_moves')
      .select('user_id')
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(1)
      .executeTakeFirst();
    if (!next) break;
    after = next.user_id;
    try {
      if (await moveLibrary(deps, next.user_id, stop)) done++;
    } catch (error) {
      // The others do not wait for it; the next sweep tries again.
      deps.log[levelOf(error)](
        { err: error, user: next.user_id },
        'an account is not hidden or shown everywhere yet',
      );
    }
  }
  return done;
}

/** False when it was stopped. */
async function moveLibrary(deps: Deps, userId: number, stop: AbortSignal | undefined): Promise<boolean> {
  while (!stop?.aborted) {
    if (await moveSome(deps, userId)) continue;
    await finishSearchMoves(deps);
    return true;
  }
  return false;
}

/** One chunk; returns whether there may be more. */
async function moveSome({ db }: Deps, userId: number): Promise<boolean> {
  return db.kysely.transaction().execute(async (transaction) => {
    await db.lockLibrary(transaction, userId);
    const status = await statusOf(transaction, userId);
    // An account that is being deleted goes its own way.
    const isEnabled = status === UserStatus.enabled;
    const moved =
      isEnabled || status === UserStatus.disabled
        ? await moveChunk({ db }, transaction, userId, isEnabled)
        : 0;
    if (moved > 0 || !(await isSettled(transaction, userId, status))) return true;
    await transaction.deleteFrom('library_moves').where('user_id', '=', userId).execute();
    return false;
  });
}

/** Whether the status is still the same, now that nobody can note another until this transaction ends. */
async function isSettled(
  transaction: Transaction,
  userId: number,
  status: UserStatus | undefined,
): Promise<boolean> {
  await transaction
    .selectFrom('library_moves')
    .select('user_id')
    .where('user_id', '=', userId)
    .forUpdate()
    .execute();
  return (await statusOf(transaction, userId)) === status;
}

/** Returns how many photos were moved; albums go with the first ones. */
async function moveChunk(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  userId: number,
  isEnabled: boolean,
): Promise<number> {
  if (isEnabled) await showAlbums(transaction, userId);
  else await hideAlbums(transaction, userId);
  const found = await photosToMove(transaction, userId, isEnabled);
  if (found.length === 0) return 0;
  const photos = await lockPhotos(transaction, idsOf(found));
  for (const [albumId, inIt] of Map.groupBy(photos, ({ album_id }) => album_id)) {
    const album =
      albumId === null
        ? undefined
        : await transaction
            .selectFrom('albums')
            .select(['id', 'visibility'])
            .where('id', '=', albumId)
            .executeTakeFirst();
    await place({ db }, transaction, inIt, album);
  }
  return photos.length;
}

/** Those that do not show what their account, their album and they themselves say. */
function photosToMove(transaction: Transaction, userId: number, isEnabled: boolean) {
  return transaction
    .selectFrom('photos')
    .select('id')
    .where('user_id', '=', userId)
    .where('visibility', '=', isEnabled ? Visibility.private : Visibility.public)
    .$if(isEnabled, (query) =>
      query
        .where('is_public', '=', 1)
        .where((is) =>
          is.or([
            is('album_id', 'is', null),
            is('album_id', 'in', (albums) =>
              albums
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
}

async function hideAlbums(transaction: Transaction, userId: number): Promise<void> {
  await writing(transaction)
    .updateTable('albums')
    .set({ visibility: Visibility.private })
    .where('user_id', '=', userId)
    .where('visibility', '=', Visibility.public)
    .execute();
}

/** From the top down, a level at a time. */
async function showAlbums(transaction: Transaction, userId: number): Promise<void> {
  const shown = sql`SELECT above.id FROM albums AS above
    WHERE above.user_id = ${userId} AND above.visibility = ${sql.lit(Visibility.public)}`;
  for (;;) {
    const { numUpdatedRows } = await writing(transaction)
      .updateTable('albums')
      .set({ visibility: Visibility.public })
      .where('user_id', '=', userId)
      .where('visibility', '=', Visibility.private)
      .where('is_public', '=', 1)
      .where(sql<boolean>`(parent_id IS NULL OR parent_id IN (${shown}))`)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) break;
  }
  // Albums above were shown meanwhile: their photos were to be hidden, and count ahead of that.
  const ahead = await transaction
    .selectFrom('album_moves')
    .innerJoin('albums', 'albums.id', 'album_moves.album_id')
    .select(['albums.id', 'albums.user_id'])
    .where('albums.user_id', '=', userId)
    .where('albums.visibility', '=', Visibility.public)
    .where('ahead', '>', 0)
    .execute();
  for (const album of ahead) await takeBack(transaction, album);
}
