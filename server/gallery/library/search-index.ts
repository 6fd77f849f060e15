/**
 * A photo's row in the search index. The index keeps private photos apart. It takes too long to write the rows of many
 * photos in one transaction: photos with a job (visibility-jobs.ts) are asked themselves by every search.
 */
import type { Deps } from '../../deps.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { lockPhoto } from './locks.ts';
import { searchTextOf } from './search-text.ts';
import { addVisibilityJobs } from './visibility-jobs.ts';

/** Updates the index rows of locked photos of one owner: one photo at once, several by a job. */
export async function indexPhotos(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  userId: number,
  ids: number[],
): Promise<void> {
  if (ids.length === 1) return indexLocked({ db }, transaction, ids[0]!);
  await addVisibilityJobs({ db }, transaction, 'photo', userId, ids);
}

/** Copies the photo into the search index. The lock keeps an older text from replacing a newer one. */
export async function indexPhoto(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  id: number,
): Promise<void> {
  if (await lockPhoto(transaction, id)) await indexLocked({ db }, transaction, id);
}

/** Writes the index row of a photo that is locked already. */
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
