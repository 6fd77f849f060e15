/** The ways to a page of the feed. One SQL each for both databases. */

import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { Visibility } from '../../../platform/db/states.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import type { Window } from '../../../platform/http/pagination.ts';
import { accountIsEnabled, isNotHiddenSince } from '../../library/visible.ts';
import { itemColumns } from '../../photos/list/columns.ts';
import type { PhotoItemRow } from '../../photos/present.ts';

type Database = Kysely<Tables>;

const isPublic = sql.lit(Visibility.public);

/** A page from the nearer end of the feed: `desc` counts from the newest photo, `asc` from the oldest. */
export interface FeedWindow extends Window {
  order: 'asc' | 'desc';
}

/** Through the newest `most` public photos of everybody; fewer rows than asked for may come back. */
export function walkFeed(db: Database, userId: number, window: Window, max: number): Promise<PhotoItemRow[]> {
  const newest = db
    .selectFrom('photos')
    .select(['id', 'user_id', 'create_time'])
    .where('visibility', '=', Visibility.public)
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .limit(max)
    .as('newest');
  const ids = db
    .selectFrom(newest)
    .select(['newest.id', 'newest.create_time'])
    .where('newest.user_id', 'in', followees(db, userId));
  return readItems(db, userId, ids, { ...window, order: 'desc' }, 'newest');
}

/** Through all public photos, as far as it takes. Adding 0 keeps the planners from starting at the followees. */
export function walkFeedFar(db: Database, userId: number, window: FeedWindow): Promise<PhotoItemRow[]> {
  const ids = db
    .selectFrom('photos')
    .select(['photos.id', 'photos.create_time'])
    .where('photos.visibility', '=', Visibility.public)
    .where(sql<number>`(photos.user_id + 0)`, 'in', followees(db, userId));
  return readItems(db, userId, ids, window);
}

/**
 * From each followee no more than the page could show. Each followee's first photo is one look into an index; of
 * `last` photos none comes after the `last`th of these. So only followees with a photo up to that one are asked for
 * more, and none of them for more than `last`.
 */
export function fetchFeed(db: Database, userId: number, window: FeedWindow): Promise<PhotoItemRow[]> {
  const { order } = window;
  const last = window.offset + window.limit;
  const [upTo, never] = order === 'desc' ? [sql`>=`, 0] : [sql`<=`, Number.MAX_SAFE_INTEGER];
  const to = sql.raw(order);
  const end = (time: number) => sql<number>`CAST(${sql.lit(time)} AS bigint)`;
  const query = db
    .with(
      (name) => name('firsts').materialized(),
      (query) =>
        query
          .selectFrom('follows')
          .select([
            'followee_id',
            sql<number | null>`(SELECT own.create_time FROM photos AS own
              WHERE own.user_id = follows.followee_id AND own.visibility = ${isPublic}
              ORDER BY own.create_time ${to}, own.id ${to} LIMIT 1)`.as('time'),
          ])
          .where('follower_id', '=', userId),
    )
    .with(
      (name) => name('page_end').materialized(),
      (query) =>
        query.selectNoFrom(
          sql<number>`coalesce((SELECT time FROM firsts WHERE time IS NOT NULL
            ORDER BY time ${to} LIMIT 1 OFFSET ${sql.lit(last - 1)}), ${end(never)})`.as('time'),
        ),
    )
    .with(
      (name) => name('bounds').materialized(),
      (query) =>
        query
          .selectFrom('firsts')
          .innerJoin('page_end', (join) => join.on(sql`firsts.time`, upTo as never, sql`page_end.time`))
          .select([
            'firsts.followee_id',
            sql<Visibility>`${isPublic}`.as('visibility'),
            sql<number>`coalesce((SELECT own.create_time FROM photos AS own
              WHERE own.user_id = firsts.followee_id AND own.visibility = ${isPublic} AND own.create_time ${upTo} page_end.time
              ORDER BY own.create_time ${to}, own.id ${to} LIMIT 1 OFFSET ${sql.lit(last - 1)}), page_end.time)`.as(
              'time',
            ),
            end(order === 'desc' ? Number.MAX_SAFE_INTEGER : 0).as('end'),
          ]),
    );
  const ids = query
    .selectFrom('bounds')
    // SQLite starts at the left of a cross join; otherwise it walks through all photos for the sake of the order.
    .crossJoin('photos')
    .select(['photos.id', 'photos.create_time'])
    .whereRef('photos.user_id', '=', 'bounds.followee_id')
    // Nothing is compared with a constant, and of a range with two ends few rows are expected: so PostgreSQL looks
    // into the owner's index for each followee, and not through all photos.
    .whereRef('photos.visibility', '=', 'bounds.visibility')
    .whereRef('photos.create_time', order === 'desc' ? '>=' : '<=', 'bounds.time')
    .whereRef('photos.create_time', order === 'desc' ? '<=' : '>=', 'bounds.end');
  return readItems(db, userId, ids, window);
}

function followees(db: Database, userId: number) {
  return db.selectFrom('follows').select('followee_id').where('follower_id', '=', userId);
}

type Ids = SelectQueryBuilder<never, never, { id: number; create_time: number }>;

function readItems(
  db: Database,
  userId: number,
  ids: unknown,
  { limit, offset, order }: FeedWindow,
  table: 'photos' | 'newest' = 'photos',
): Promise<PhotoItemRow[]> {
  const page = (ids as Ids)
    .orderBy(sql.ref(`${table}.create_time`), order)
    .orderBy(sql.ref(`${table}.id`), order)
    .limit(limit)
    .offset(offset)
    .as('page');
  return db
    .selectFrom(page)
    .innerJoin('photos', 'photos.id', 'page.id')
    .innerJoin('users', 'users.id', 'photos.user_id')
    .select(itemColumns(userId))
    .where(accountIsEnabled)
    .where(isNotHiddenSince(0))
    .orderBy('photos.create_time', 'desc')
    .orderBy('photos.id', 'desc')
    .execute() as Promise<PhotoItemRow[]>;
}
