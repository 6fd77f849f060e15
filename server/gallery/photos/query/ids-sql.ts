/** Selects the ids of photos with a tag or in an album. */
import { type RawBuilder, sql } from 'kysely';
import type { SearchScope } from '../../../platform/db/search.ts';

export type PhotoIdsSql = RawBuilder<unknown>;

/** Selects the ids of a scope's photos that have the folded tag. */
export function selectTaggedIds(tag: string, { visibility, userId }: SearchScope): PhotoIdsSql {
  const owner = userId === undefined ? sql`` : sql`AND user_id = ${userId}`;
  return sql`SELECT photo_id FROM photo_tags
    WHERE name_key = ${tag} AND visibility = ${visibility} ${owner}`;
}

/** Selects the ids of a scope's photos that an album contains. */
export function selectAlbumPhotoIds(
  albumId: number,
  { visibility }: Pick<SearchScope, 'visibility'>,
): PhotoIdsSql {
  return sql`SELECT photo_id FROM album_photos WHERE album_id = ${albumId} AND visibility = ${visibility}`;
}
