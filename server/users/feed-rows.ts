/** The ways to a page of the feed. One SQL each for both databases. */
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { Window } from '../http/pagination.ts';
import { itemColumns } from '../photos/list-page.ts';
import type { PhotoItemRow } from '../photos/present.ts';

type Database = Kysely<Tables>;

/** Through the newest `most` public photos of everybody; fewer rows than asked for may come back. */
export function walkFeed(
  db: Database,
  userId: number,
  window: Window,
  most: number,
): Promise<PhotoItemRow[]> {
  const newest = inOrder(db.selectFrom('photos').select(['id', 'user_id', 'create_time']))
    .where('visibility', '=', 2)
    .limit(most)
    .as('newest');
  const ids = db
    .selectFrom(newest)
    .select(['newest.id', 'newest.create_time'])
    .where('newest.user_id', 'in', followees(db, userId));
  return readItems(db, ids, window, 'newest');
}

/** Through all public photos, as far as it takes. Adding 0 keeps the planners from starting at the followees. */
export function walkFeedFar(db: Database, userId: number, window: Window): Promise<PhotoItemRow[]> {
  const ids = db
    .selectFrom('photos')
    .select(['photos.id', 'photos.create_time'])
    .where('photos.visibility', '=', 2)
    .where(sql<number>`(photos.user_id + 0)`, 'in', followees(db, userId));
  return readItems(db, ids, window);
}

/**
 * From each followee no more than the page could show: nothing older than the newest photo of the last followee
 * who could be on it, and nothing beyond their own first `last` photos.
 */
export async function fetchFeed(db: Database, userId: number, window: Window): Promise<PhotoItemRow[]> {
  const last = window.offset + window.limit;
  const oldest = await oldestOnPage(db, userId, last);
  const since = db
    .selectFrom('follows')
    .select([
      'follows.followee_id',
      sql<number>`2`.as('visibility'),
      sql<number>`CAST(${Number.MAX_SAFE_INTEGER} AS bigint)`.as('end'),
      sql<number>`coalesce((SELECT own.create_time FROM photos AS own
        WHERE own.user_id = follows.followee_id AND own.visibility = 2 AND own.create_time >= ${oldest}
        ORDER BY own.create_time DESC, own.id DESC LIMIT 1 OFFSET ${last - 1}), ${oldest})`.as('time'),
    ])
    .where('follows.follower_id', '=', userId)
    // A limit keeps the planners from asking this of each photo instead of each followee.
    .limit(Number.MAX_SAFE_INTEGER);
  const ids = db
    .selectFrom(since.as('since'))
    // SQLite starts at the left of a cross join; otherwise it walks through all photos for the sake of the order.
    .crossJoin('photos')
    .select(['photos.id', 'photos.create_time'])
    .whereRef('photos.user_id', '=', 'since.followee_id')
    // Nothing is compared with a constant, and of a range with two ends few rows are expected: so PostgreSQL looks
    // into the owner's index for each followee, and not through all photos.
    .whereRef('photos.visibility', '=', 'since.visibility')
    .whereRef('photos.create_time', '>=', 'since.time')
    .whereRef('photos.create_time', '<=', 'since.end');
  return readItems(db, ids, window);
}

/** `last` followees have a photo at least as new as this: one index look each. 0 when they are fewer. */
async function oldestOnPage(db: Database, userId: number, last: number): Promise<number> {
  const newest = db
    .selectFrom('follows')
    .select((is) =>
      is
        .selectFrom('photos')
        .select('photos.create_time')
        .whereRef('photos.user_id', '=', 'follows.followee_id')
        .where('photos.visibility', '=', 2)
        .orderBy('photos.create_time', 'desc')
        .orderBy('photos.id', 'desc')
        .limit(1)
        .as('time'),
    )
    .where('follows.follower_id', '=', userId);
  const row = await db
    .selectFrom(newest.as('newest'))
    .select('time')
    .where('time', 'is not', null)
    .orderBy('time', 'desc')
    .limit(1)
    .offset(last - 1)
    .executeTakeFirst();
  return row?.time ?? 0;
}

function followees(db: Database, userId: number) {
  return db.selectFrom('follows').select('followee_id').where('follower_id', '=', userId);
}

function inOrder<Output>(query: SelectQueryBuilder<Tables, 'photos', Output>) {
  return query.orderBy('photos.create_time', 'desc').orderBy('photos.id', 'desc');
}

type Ids = SelectQueryBuilder<never, never, { id: number; create_time: number }>;

function readItems(
  db: Database,
  ids: unknown,
  { limit, offset }: Window,
  table: 'photos' | 'newest' = 'photos',
): Promise<PhotoItemRow[]> {
  const page = (ids as Ids)
    .orderBy(sql.ref(`${table}.create_time`), 'desc')
    .orderBy(sql.ref(`${table}.id`), 'desc')
    .limit(limit)
    .offset(offset)
    .as('page');
  return db
    .selectFrom(page)
    .innerJoin('photos', 'photos.id', 'page.id')
    .innerJoin('users', 'users.id', 'photos.user_id')
    .select(itemColumns)
    .orderBy('photos.create_time', 'desc')
    .orderBy('photos.id', 'desc')
    .execute() as Promise<PhotoItemRow[]>;
}
