/**
 * Maintains the row of a photo in the search index, which separates private from public photos. Indexing many
 * photos takes too long for one transaction, so a job does it later (visibility-jobs.ts). Until then, each search
 * also reads the photos that have a job.
 */
import type { Deps } from '../../deps.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { lockPhoto } from './locks.ts';
import { buildSearchTexts } from './search-text.ts';
import { addVisibilityJobs } from './visibility-jobs.ts';

/**
 * Updates the search index rows of locked photos of one owner. A single photo is indexed at once, several by a
 * background job.
 */
export async function indexPhotos(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  userId: number,
  ids: number[],
): Promise<void> {
  if (ids.length === 1) return indexLockedPhotos({ db }, transaction, ids[0]!);
  await addVisibilityJobs({ db }, transaction, 'photo', userId, ids);
}

/** Copies a photo's text into the search index. The lock prevents an older text from replacing a newer one. */
export async function indexPhoto(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  id: number,
): Promise<void> {
  if (await lockPhoto(transaction, id)) await indexLockedPhotos({ db }, transaction, id);
}

/** Writes the row of a locked photo in the search index. */
export async function indexLockedPhotos(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  id: number,
): Promise<void> {
  const photo = await transaction
    .selectFrom('photos')
    .select(['id', 'user_id', 'visibility', 'title', 'description', 'tags', 'file_name', 'place_names'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (photo.visibility === Visibility.trash) return db.search.remove(transaction, photo);
  const texts = buildSearchTexts({ ...photo, tags: JSON.parse(photo.tags) as string[] });
  const { user_id: userId, visibility } = photo;
  await db.search.put(transaction, { photoId: id, userId, visibility, ...texts });
}
