/** Finds photos of a user by the checksum of their originals, to detect duplicates. */

import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { PhotoRow } from '../../../platform/db/tables.ts';

export type SamePhoto = Pick<
  PhotoRow,
  'id' | 'album_id' | 'title' | 'create_time' | 'image_key' | 'original_key' | 'visibility'
>;

/** Returns the user's oldest photo with this original, except photos in the trash. */
export async function findDuplicatePhoto(
  deps: Pick<Deps, 'db'>,
  userId: number,
  sha256: string,
): Promise<SamePhoto | undefined> {
  const [oldest] = await findDuplicatePhotos(deps, userId, sha256, 1);
  return oldest;
}

/** Returns the user's oldest photos with this original, the oldest first, except photos in the trash. */
export function findDuplicatePhotos(
  deps: Pick<Deps, 'db'>,
  userId: number,
  sha256: string,
  atMost: number,
): Promise<SamePhoto[]> {
  return photosWithOriginal(deps, userId, sha256)
    .where('visibility', '>', Visibility.trash)
    .limit(atMost)
    .execute();
}

/** Returns the user's trashed photos with this original, the oldest first. */
export function findTrashedDuplicates(
  deps: Pick<Deps, 'db'>,
  userId: number,
  sha256: string,
  atMost: number,
): Promise<SamePhoto[]> {
  return photosWithOriginal(deps, userId, sha256)
    .where('visibility', '=', Visibility.trash)
    .limit(atMost)
    .execute();
}

function photosWithOriginal({ db }: Pick<Deps, 'db'>, userId: number, sha256: string) {
  return (
    db.kysely
      .selectFrom('photos')
      .select(['id', 'album_id', 'title', 'create_time', 'image_key', 'original_key', 'visibility'])
      .where('user_id', '=', userId)
      // The condition must be identical to the expression in the index `photos_of_user_by_sha256`, because the index is
      // not used otherwise.
      .where(sql<string>`substr(sha256, 1, 16)`, '=', sha256.slice(0, 16))
      .where('sha256', '=', sha256)
      .orderBy('id')
  );
}
