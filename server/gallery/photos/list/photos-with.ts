/** Chooses the table that represents the photos of a list in SQL: `photos`, an album, or the table of a counter. */
import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../../../platform/db/tables.ts';
import type { PhotoListFilter, PhotoSortColumn } from './filter.ts';

export type PhotoSelectQuery<Output> = SelectQueryBuilder<Tables, 'photos', Output>;

const counterTables: Partial<Record<PhotoSortColumn, 'photo_views' | 'photo_counts'>> = {
  views: 'photo_views',
  downloads: 'photo_views',
  likes: 'photo_counts',
  favorites: 'photo_counts',
};
/** Columns of photos that filters use. */
const filterColumns =
  'user_id album_id level create_time update_time taken_time title_key size iso focal_length width height camera lens aperture rating'.split(
    ' ',
  );

export type QuerySource = Kysely<Tables> | ExpressionBuilder<Tables, never>;

/**
 * Selects photos with the column that sorts the list. Rows of `album_photos` or of the table of a counter represent the
 * photos, because the indexes of these tables have the order of the list. Both databases omit the joins if no filter
 * uses a column of photos. SQLite does not omit them from a count, so `isCounted` leaves out the join of an album.
 */
export function selectPhotosWithSort(
  from: QuerySource,
  filter: Pick<PhotoListFilter, 'albumId' | 'column' | 'isPublic' | 'condition'>,
  isCounted = false,
): PhotoSelectQuery<object> {
  const { albumId, column, isPublic, condition } = filter;
  const table = counterTables[column];
  const isOfAlbum = column === 'position' || column === 'create_time';
  if (albumId !== undefined && isCounted && isOfAlbum && isPublic === undefined && !condition) {
    const photos = sql<
      Tables['photos']
    >`(SELECT photo_id AS id, visibility, position, create_time FROM album_photos
      WHERE album_id = ${albumId})`;
    return from.selectFrom(photos.as('photos')) as unknown as PhotoSelectQuery<object>;
  }
  if (albumId !== undefined) return photosInAlbum(from, albumId, column);
  if (!table) return from.selectFrom('photos');
  const photos = sql<Tables['photos']>`(SELECT counted.photo_id AS id, counted.visibility,
    ${sql.ref(`counted.${column}`)}, ${ownColumns(filterColumns)}
    FROM ${sql.table(table)} AS counted LEFT JOIN photos AS own ON own.id = counted.photo_id)`;
  return from.selectFrom(photos.as('photos')) as unknown as PhotoSelectQuery<object>;
}

function photosInAlbum(
  from: QuerySource,
  albumId: number,
  column: PhotoSortColumn,
): PhotoSelectQuery<object> {
  const table = counterTables[column];
  const counter = table ? sql`${sql.ref(`counted.${column}`)},` : sql``;
  const counterJoin = table
    ? sql`LEFT JOIN ${sql.table(table)} AS counted ON counted.photo_id = contained.photo_id`
    : sql``;
  const photos = sql<
    Tables['photos']
  >`(SELECT contained.photo_id AS id, contained.visibility, contained.position,
    contained.create_time, ${counter} ${ownColumns(filterColumns.filter((name) => name !== 'create_time'))}
    FROM album_photos AS contained LEFT JOIN photos AS own ON own.id = contained.photo_id ${counterJoin}
    WHERE contained.album_id = ${albumId})`;
  return from.selectFrom(photos.as('photos')) as unknown as PhotoSelectQuery<object>;
}

function ownColumns(names: string[]) {
  return sql.join(names.map((name) => sql.ref(`own.${name}`)));
}
