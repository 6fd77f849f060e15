/**
 * What follows in the background when albums are hidden or shown: their photos (album-photos.ts), and the search index
 * behind these. The index keeps private photos apart, so that
 * a photo's row there is written anew, which takes too long for the many of an album in one transaction. Until
 * then `search_moves` names them, and the search asks the photos themselves: nothing is found that must not be.
 */
import type { Deps } from '../../deps.ts';
import { createJob, type Job } from '../../platform/concurrency/job.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { followAlbums } from './album-photos.ts';
import { lockPhoto } from './locks.ts';
import { searchTextOf } from './search-text.ts';
import { writing } from './tables.ts';

const atOnce = 50;
/** After trouble, say a locked database. */
const retryMs = 1000;

export function createSearchMover(deps: Deps): Job {
  return createJob({
    run: (stop) => finishSearchMoves(deps, stop),
    onError: (error) =>
      deps.log.warn({ err: error }, 'photos or the search index do not follow an album yet; trying again'),
    retryMs,
  });
}

export async function finishSearchMoves(deps: Deps, stop?: AbortSignal): Promise<void> {
  while (!stop?.aborted && ((await followAlbums(deps)) || (await moveSome(deps)) > 0));
}

/** Moves a few of one owner's, in one short transaction; returns how many. */
async function moveSome({ db }: Deps): Promise<number> {
  const waiting = await db.kysely
    .selectFrom('search_moves')
    .innerJoin('photos', 'photos.id', 'search_moves.photo_id')
    .select(['photo_id', 'user_id'])
    .orderBy('photo_id')
    .limit(atOnce)
    .execute();
  const [first] = waiting;
  if (!first) return 0;
  const ids = waiting.filter(({ user_id }) => user_id === first.user_id).map(({ photo_id }) => photo_id);
  await db.kysely.transaction().execute(async (transaction) => {
    // An album that is being hidden holds its photos for seconds: waiting for it here, no photo is held meanwhile.
    await db.lockLibrary(transaction, first.user_id);
    for (const id of ids) await indexPhoto({ db }, transaction, id);
    await transaction.deleteFrom('search_moves').where('photo_id', 'in', ids).execute();
  });
  return ids.length;
}

/** Brings locked photos along: one at once, more of them a moment later. */
export async function indexPhotos(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  ids: number[],
): Promise<void> {
  if (ids.length === 1) return indexLocked({ db }, transaction, ids[0]!);
  await writing(transaction)
    .insertInto('search_moves')
    .values(ids.map((photo_id) => ({ photo_id })))
    .onConflict((conflict) => conflict.column('photo_id').doNothing())
    .execute();
}

/** Makes the search index say what the photo says. The lock keeps a newer text from being replaced by an older one. */
export async function indexPhoto(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  id: number,
): Promise<void> {
  if (await lockPhoto(transaction, id)) await indexLocked({ db }, transaction, id);
}

/** The same of a photo that is locked already. */
export async function indexLocked(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  id: number,
): Promise<void> {
  const photo = await transaction
    .selectFrom('photos')
    .select(['id', 'user_id', 'visibility', 'title', 'description', 'tags'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (photo.visibility === Visibility.trash) return db.search.remove(transaction, photo);
  const text = searchTextOf({ ...photo, tags: JSON.parse(photo.tags) as string[] });
  const { user_id: userId, visibility } = photo;
  await db.search.put(transaction, { photoId: id, userId, visibility, text });
}
