/**
 * Finds the page of a list that contains a given photo. Counts the photos before that photo, and reads the page from
 * there in both directions.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { boundedReadOptions } from '../../../platform/db/dialect.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { RowWindow } from '../../../platform/http/pagination.ts';
import { monthBounds } from '../../../platform/http/time.ts';
import { groupInScopesCondition } from '../../library/counts.ts';
import { accountEnabledCondition, notHiddenByAlbumCondition } from '../../library/visibility-sql.ts';
import type { PhotoItemRow } from '../present.ts';
import {
  hasFilterConditions,
  type PhotoListAnchor,
  type PhotoListBranch,
  type PhotoListFilter,
} from './filter.ts';
import { selectPhotosWithSort } from './photos-with.ts';
import { applyPhotoListFilter, buildPhotoPageQuery, type PhotoPageStrategy } from './query.ts';

export interface PageAroundPhoto {
  page: number;
  rows: PhotoItemRow[];
}

/** A list filter with the strategy for reading the photos before and after the given one. */
type AroundFilter = PhotoListFilter & { strategy: PhotoPageStrategy };

/** Returns the page that contains the photo. Throws photoNotFound if the list does not contain the photo. */
export async function findPageAroundPhoto(
  deps: Deps,
  filter: AroundFilter,
  photoId: number,
  limit: number,
): Promise<PageAroundPhoto> {
  const anchor = await findAnchor(deps, filter, photoId);
  const places = await Promise.all(
    filter.branches.map((branch) => countBefore(deps, filter, branch, anchor)),
  );
  const place = places.reduce((sum, n) => sum + n, 0);
  const before = place % limit;
  const rows = await Promise.all([
    readRows(deps, filter, { ...anchor, side: 'before' }, before),
    readRows(deps, filter, { ...anchor, side: 'from' }, limit - before),
  ]);
  return { page: Math.floor(place / limit) + 1, rows: rows.flat() };
}

type ListPosition = Omit<PhotoListAnchor, 'side'>;

async function findAnchor({ db }: Deps, filter: PhotoListFilter, photoId: number): Promise<ListPosition> {
  for (const branch of filter.branches) {
    const found = await applyPhotoListFilter(
      selectPhotosWithSort(db.slow(boundedReadOptions), filter),
      db,
      filter,
      branch,
      'walk',
    )
      .innerJoin('users', 'users.id', 'photos.user_id')
      .select(['photos.id', sql.ref<string | number>(`photos.${filter.column}`).as('value')])
      .where('photos.id', '=', photoId)
      .$if(!filter.showsDisabled, (query) =>
        query.where(accountEnabledCondition).where(notHiddenByAlbumCondition(filter.viewerId)),
      )
      .executeTakeFirst();
    if (found) return found;
  }
  throw errors.photoNotFound({ message: 'The list does not contain this photo' });
}

/** Counts the photos in one branch of a list that come before a given position. */
async function countBefore(
  deps: Deps,
  filter: PhotoListFilter,
  branch: PhotoListBranch,
  place: ListPosition,
): Promise<number> {
  const { column } = filter;
  const isOfTime = column === 'create_time' || column === 'taken_time';
  if (hasFilterConditions(filter))
    return countRows(deps, { ...filter, anchor: { ...place, side: 'before' } }, branch);
  if (isOfTime) return countByMonths(deps, filter, branch, place, column);
  return countByValue(deps, filter, branch, place);
}

/**
 * Counts the photos before a position in two parts, because comparing pairs takes twice as long as comparing values.
 * Only photos with the same sort value are compared by id.
 */
async function countByValue(
  deps: Deps,
  filter: PhotoListFilter,
  branch: PhotoListBranch,
  place: ListPosition,
): Promise<number> {
  const { column, order } = filter;
  const type = sql.raw(column === 'title_key' ? 'text' : 'bigint');
  const [name, value] = [sql.ref(`photos.${column}`), sql`CAST(${place.value} AS ${type})`];
  const isBefore = sql.raw(order === 'desc' ? '>' : '<');
  const counts = await Promise.all([
    countWithin(deps, filter, branch, sql<SqlBool>`${name} ${isBefore} ${value}`),
    countWithin(deps, filter, branch, sql<SqlBool>`${name} = ${value} AND photos.id ${isBefore} ${place.id}`),
  ]);
  return counts[0] + counts[1];
}

/**
 * Counts the photos before a position in a list sorted by time. Stored counts give the whole months; within the
 * position's own month, the query counts the shorter part.
 */
async function countByMonths(
  deps: Deps,
  filter: PhotoListFilter,
  branch: PhotoListBranch,
  place: ListPosition,
  column: 'create_time' | 'taken_time',
): Promise<number> {
  const month = monthBounds(Number(place.value));
  const isBefore = filter.order === 'desc' ? sql`value > ${month.name}` : sql`value < ${month.name}`;
  const kind = column === 'create_time' ? 'added' : 'taken';
  const { rows } = await sql<{ others: number | null; own: number | null }>`SELECT
      sum(CASE WHEN ${isBefore} THEN n ELSE 0 END) AS others,
      sum(CASE WHEN value = ${month.name} THEN n ELSE 0 END) AS own
    FROM photo_groups WHERE ${groupInScopesCondition([branch], kind)}`.execute(
    deps.db.slow(boundedReadOptions),
  );
  const { others, own } = rows[0]!;
  const isLate = Number(place.value) * 2 > month.start + month.end;
  const side = isLate === (filter.order === 'desc') ? 'before' : 'from';
  const within = sql<SqlBool>`photos.${sql.ref(column)} >= CAST(${month.start} AS bigint)
    AND photos.${sql.ref(column)} < CAST(${month.end} AS bigint)`;
  const n = await countRows(deps, { ...filter, anchor: { ...place, side } }, branch, within);
  return (others ?? 0) + (side === 'before' ? n : (own ?? 0) - n);
}

/** Counts an index range without testing single rows, about thirty million rows per second. */
async function countWithin(
  { db }: Deps,
  filter: PhotoListFilter,
  branch: PhotoListBranch,
  within: RawBuilder<SqlBool>,
): Promise<number> {
  const { n } = await applyPhotoListFilter(
    selectPhotosWithSort(db.slow(boundedReadOptions), filter, true),
    db,
    filter,
    branch,
    'count',
  )
    .where(within)
    .select((count) => count.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

async function countRows(
  deps: Deps,
  filter: PhotoListFilter,
  branch: PhotoListBranch,
  within = sql<SqlBool>`1 = 1`,
): Promise<number> {
  const isInTime = deps.db.deadlineCheck('photos.id');
  return countWithin(deps, filter, branch, sql<SqlBool>`${within} AND ${isInTime}`);
}

/** Reads up to `limit` rows before or after the anchor, in the order of the list. */
async function readRows(
  { db }: Deps,
  { strategy, ...filter }: AroundFilter,
  anchor: PhotoListAnchor,
  limit: number,
): Promise<PhotoItemRow[]> {
  if (limit === 0) return [];
  const backwards = filter.order === 'asc' ? 'desc' : 'asc';
  const window: RowWindow = { limit, offset: 0 };
  const query = buildPhotoPageQuery(db.slow(boundedReadOptions), db, {
    ...{ filter: { ...filter, anchor }, window, skipped: 0, atMost: limit, strategy },
    order: anchor.side === 'before' ? backwards : filter.order,
  });
  const { rows } = await db.slow(boundedReadOptions).executeQuery<PhotoItemRow>(query.compile());
  return rows;
}
