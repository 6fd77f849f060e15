/** Counts the photos directly in albums that the viewer can see. Each count reads one index range of the album. */
import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { AlbumRow } from '../../platform/db/tables.ts';
import type { Viewer } from '../identity/viewer.ts';
import { listVisibilitiesInAlbum } from '../library/permissions.ts';

/** Returns the number of photos by album id. Albums without visible photos are missing from the map. */
export async function countPhotosInAlbums(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer | undefined,
  albums: Pick<AlbumRow, 'id' | 'user_id'>[],
): Promise<Map<number, number>> {
  if (albums.length === 0) return new Map();
  const counted = albums.map((album) => {
    const visibilities = listVisibilitiesInAlbum(viewer, album);
    return sql<AlbumCount>`SELECT ${sql.lit(album.id)} AS id, count(*) AS n FROM album_photos
      WHERE album_id = ${sql.lit(album.id)} AND visibility IN (${sql.join(visibilities.map((one) => sql.lit(one)))})`;
  });
  const { rows } = await sql<AlbumCount>`${sql.join(counted, sql` UNION ALL `)}`.execute(db.slow());
  return new Map(rows.map(({ id, n }) => [id, n]));
}

interface AlbumCount {
  id: number;
  n: number;
}

/** SQL expression of a query on `albums`: the number of photos directly in the album that the viewer can see. */
export function albumPhotoCountSql(viewer: Viewer | undefined): RawBuilder<number> {
  const all = listVisibilitiesInAlbum(viewer && { ...viewer, isAdmin: false }, { user_id: 0 });
  const isShown = sql`album_photos.visibility IN (${sql.join(all.map((one) => sql.lit(one)))})`;
  const isOwn = viewer
    ? sql`OR (album_photos.visibility = ${sql.lit(Visibility.private)}
        AND ${viewer.isAdmin ? sql`1 = 1` : sql`albums.user_id = ${viewer.id}`})`
    : sql``;
  return sql<number>`(SELECT count(*) FROM album_photos
    WHERE album_photos.album_id = albums.id AND (${isShown} ${isOwn}))`;
}
