/** Whether a user has a picture already, by the checksum of its original. */

import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { PhotoRow } from '../../../platform/db/tables.ts';

export type SamePhoto = Pick<PhotoRow, 'id' | 'album_id' | 'create_time' | 'image_key' | 'original_key'>;

/** The oldest of the user's photos with this original; what is in the trash does not count. */
export async function findSameOriginal(
  deps: Pick<Deps, 'db'>,
  userId: number,
  sha256: string,
): Promise<SamePhoto | undefined> {
  const [oldest] = await findSameOriginals(deps, userId, sha256, 1);
  return oldest;
}

/** The oldest ones, in their order. */
export function findSameOriginals(
  deps: Pick<Deps, 'db'>,
  userId: number,
  sha256: string,
  atMost: number,
): Promise<SamePhoto[]> {
  return withOriginal(deps, userId, sha256)
    .where('visibility', '>', Visibility.trash)
    .limit(atMost)
    .execute();
}

/** Those in the trash. */
export function findSameTrashed(
  deps: Pick<Deps, 'db'>,
  userId: number,
  sha256: string,
  atMost: number,
): Promise<SamePhoto[]> {
  return withOriginal(deps, userId, sha256)
    .where('visibility', '=', Visibility.trash)
    .limit(atMost)
    .execute();
}

function withOriginal({ db }: Pick<Deps, 'db'>, userId: number, sha256: string) {
  return (
    db.kysely
      .selectFrom('photos')
      .select(['id', 'album_id', 'create_time', 'image_key', 'original_key'])
      .where('user_id', '=', userId)
      // The condition must be written as in the index `photos_of_user_by_sha256`, else the index is not used.
      .where(sql<string>`substr(sha256, 1, 16)`, '=', sha256.slice(0, 16))
      .where('sha256', '=', sha256)
      .orderBy('id')
  );
}
