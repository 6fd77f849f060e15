/** Lists the photos of followed users that are public or for members, the newest first. */
import { type Kysely, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { Tables } from '../../platform/db/tables.ts';
import {
  createPagination,
  type PaginationRequest,
  type RowWindow,
  toRowWindow,
} from '../../platform/http/pagination.ts';
import { createViewerPathSigner } from '../delivery/paths.ts';
import type { Viewer } from '../identity/viewer.ts';
import { accountEnabledCondition, notHiddenByAlbumCondition } from '../library/visibility-sql.ts';
import { selectPhotoItemColumns } from '../photos/list/item.ts';
import { type PhotoItemRow, presentPhotoItem } from '../photos/present.ts';

const shownVisibilities = [Visibility.public, Visibility.members];

/** Part of the feed. With `desc`, the offset counts from the newest photo, and with `asc` from the oldest. */
interface FeedWindow extends RowWindow {
  order: 'asc' | 'desc';
}

export async function readFeed(deps: Deps, viewer: Viewer, query: PaginationRequest) {
  const slow = deps.db.slow();
  const total = await countFeed(slow, viewer.id);
  const window = toRowWindow(query);
  const rows =
    window.offset < total ? await fetchFeed(slow, viewer.id, readFromNearerEnd(window, total)) : [];
  const signer = createViewerPathSigner(deps, viewer);
  return {
    list: rows.map((row) => presentPhotoItem(row, signer)),
    pagination: createPagination(query, total),
  };
}

/** Returns the number of photos in the feed, as the sum of the stored totals of the followed users. */
async function countFeed(db: Kysely<Tables>, userId: number): Promise<number> {
  const { n } = await db
    .selectFrom('follows')
    // The cross join makes SQLite start with the followed users instead of all users' totals.
    .crossJoin('photo_totals')
    .whereRef('photo_totals.user_id', '=', 'follows.followee_id')
    .select((is) => is.fn.sum<number | null>('photo_totals.n').as('n'))
    .where('follows.follower_id', '=', userId)
    .where('photo_totals.visibility', 'in', shownVisibilities)
    .executeTakeFirstOrThrow();
  return n ?? 0;
}

function readFromNearerEnd({ offset, limit }: RowWindow, total: number): FeedWindow {
  const end = Math.min(offset + limit, total);
  if (offset <= total / 2) return { offset, limit: end - offset, order: 'desc' };
  return { offset: total - end, limit: end - offset, order: 'asc' };
}

/**
 * Reads a page of the feed, and as few photos of each followed user as possible. The public photos of a user are one
 * source, and the photos for members are another. Let `last` be offset + limit. The page ends no later than the `last`th
 * of the sources' first photos (`page_end`). Sources without a photo up to that time are skipped, and at most `last`
 * photos are read of each other source.
 */
async function fetchFeed(
  db: Kysely<Tables>,
  userId: number,
  { limit, offset, order }: FeedWindow,
): Promise<PhotoItemRow[]> {
  const [direction, upTo] = [sql.raw(order), sql.raw(order === 'desc' ? '>=' : '<=')];
  const [never, always] = [0, Number.MAX_SAFE_INTEGER].map((time) => sql`CAST(${sql.lit(time)} AS bigint)`);
  const [end, start] = order === 'desc' ? [never, always] : [always, never];
  const last = sql`LIMIT 1 OFFSET ${sql.lit(offset + limit - 1)}`;
  const own = sql`SELECT own.create_time FROM photos AS own`;
  const visibilityRows = sql.join(shownVisibilities.map((visibility) => sql`(${sql.lit(visibility)})`));
  const sorted = sql`ORDER BY own.create_time ${direction}, own.id ${direction}`;
  // The cross join makes SQLite start with the followed users instead of walking all photos in order. The second
  // comparison of times is always true. PostgreSQL expects few rows of a range with two ends, and therefore uses the
  // index of each followed user.
  const ids = sql<{ id: number }>`WITH
      firsts AS MATERIALIZED (
        SELECT followee_id, levels.column1 AS visibility,
          (${own} WHERE own.user_id = follows.followee_id AND own.visibility = levels.column1 ${sorted} LIMIT 1) AS time
        FROM follows CROSS JOIN (VALUES ${visibilityRows}) AS levels WHERE follower_id = ${userId}),
      page_end AS MATERIALIZED (
        SELECT coalesce((SELECT time FROM firsts WHERE time IS NOT NULL ORDER BY time ${direction} ${last}), ${end}) AS time),
      bounds AS MATERIALIZED (
        SELECT followee_id, visibility, ${start} AS start,
          coalesce((${own} WHERE own.user_id = firsts.followee_id AND own.visibility = firsts.visibility
            AND own.create_time ${upTo} page_end.time
            ${sorted} ${last}), page_end.time) AS time
        FROM firsts JOIN page_end ON firsts.time ${upTo} page_end.time)
    SELECT photos.id FROM bounds CROSS JOIN photos
    WHERE photos.user_id = bounds.followee_id AND photos.visibility = bounds.visibility
      AND photos.create_time ${upTo} bounds.time AND bounds.start ${upTo} photos.create_time
    ORDER BY photos.create_time ${direction}, photos.id ${direction}
    LIMIT ${sql.lit(limit)} OFFSET ${sql.lit(offset)}`;
  const rows = await db
    .selectFrom(sql<{ id: number }>`(${ids})`.as('page'))
    .innerJoin('photos', 'photos.id', 'page.id')
    .innerJoin('users', 'users.id', 'photos.user_id')
    .innerJoin('photo_views', 'photo_views.photo_id', 'photos.id')
    .innerJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
    .select(selectPhotoItemColumns(userId))
    .where(accountEnabledCondition)
    .where(notHiddenByAlbumCondition(userId))
    .orderBy('photos.create_time', 'desc')
    .orderBy('photos.id', 'desc')
    .execute();
  return rows as PhotoItemRow[];
}
