/**
 * Lists of a user's likes, favorites, comments, follows and shares. The lists contain only public data of other users'
 * photos, even for an admin, because an export leaves the gallery.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import {
  accountEnabledCondition,
  visibleToViewerCondition,
} from '../../../gallery/library/visibility-sql.ts';
import { yieldRowPages } from '../../../platform/db/pages.ts';
import type { AccountListName } from '../account-schema.ts';
import { formatExportTime } from '../schema.ts';

const pageSize = 500;

type AccountLists = [AccountListName, AsyncGenerator<object[]>][];

export function presentAccountLists(deps: Deps, userId: number): AccountLists {
  return [
    ['likes', presentRows(findReactions(deps, userId, 'likes'), presentReaction)],
    ['favorites', presentRows(findReactions(deps, userId, 'favorites'), presentReaction)],
    ['comments', presentRows(findOwnComments(deps, userId), presentComment)],
    ['following', presentRows(findFollows(deps, userId), presentFollow)],
    ['shares', presentRows(findShares(deps, userId), presentShare)],
  ];
}

async function* presentRows<Row>(
  rows: AsyncIterable<Row[]>,
  present: (row: Row) => object,
): AsyncGenerator<object[]> {
  for await (const page of rows) yield page.map(present);
}

/** Columns of a photo's title and its owner's username, both null if the user cannot see the photo. */
const photoColumns = (userId: number) => {
  const isSeen = visibleToViewerCondition({ id: userId, isAdmin: 0 });
  const columnIfVisible = (column: string): RawBuilder<string | null> =>
    sql<string | null>`CASE WHEN ${isSeen} THEN ${sql.ref(column)} END`;
  return [
    columnIfVisible('photos.title').as('title'),
    columnIfVisible('users.username').as('username'),
  ] as const;
};

interface OfPhoto {
  photo_id: number;
  title: string | null;
  username: string | null;
  create_time: number;
}

function findReactions({ db }: Deps, userId: number, table: 'likes' | 'favorites') {
  return yieldRowPages(
    { time: -1, id: 0 },
    pageSize,
    (row: OfPhoto) => ({ time: row.create_time, id: row.photo_id }),
    (after, size) =>
      db
        .slow()
        .selectFrom(`${table} as reactions`)
        .innerJoin('photos', 'photos.id', 'reactions.photo_id')
        .innerJoin('users', 'users.id', 'photos.user_id')
        .select(['reactions.photo_id', 'reactions.create_time'])
        .select(photoColumns(userId))
        .where('reactions.user_id', '=', userId)
        .where(comesAfter('reactions.create_time', 'reactions.photo_id', after))
        .orderBy('reactions.create_time')
        .orderBy('reactions.photo_id')
        .limit(size)
        .execute(),
  );
}

/** Compares a row value, because both databases look up a row value in the index of its two columns. */
function comesAfter(time: string, id: string, after: { time: number; id: number }): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(time)}, ${sql.ref(id)}) > (${after.time}, ${after.id})`;
}

function presentReaction({ photo_id, title, username, create_time }: OfPhoto) {
  return { photo_id, title, username, create_time: formatExportTime(create_time) };
}

interface OwnComment extends OfPhoto {
  id: number;
  parent_id: number | null;
  content: string;
  likes: number;
}

function findOwnComments({ db }: Deps, userId: number) {
  return yieldRowPages(
    0,
    pageSize,
    (row: OwnComment) => row.id,
    (after, size) =>
      db
        .slow()
        .selectFrom('comments')
        .innerJoin('photos', 'photos.id', 'comments.photo_id')
        .innerJoin('users', 'users.id', 'photos.user_id')
        .select(['comments.id', 'comments.photo_id', 'comments.parent_id', 'comments.content'])
        .select(['comments.likes', 'comments.create_time'])
        .select(photoColumns(userId))
        .where('comments.user_id', '=', userId)
        .where('comments.id', '>', after)
        .orderBy('comments.id')
        .limit(size)
        .execute(),
  );
}

function presentComment({ id, parent_id, content, likes, ...photo }: OwnComment) {
  return { id, ...presentReaction(photo), parent_id, content, likes };
}

interface Follow {
  followee_id: number;
  username: string;
  create_time: number;
}

function findFollows({ db }: Deps, userId: number) {
  return yieldRowPages(
    { time: -1, id: 0 },
    pageSize,
    (row: Follow) => ({ time: row.create_time, id: row.followee_id }),
    (after, size) =>
      db
        .slow()
        .selectFrom('follows')
        .innerJoin('users', 'users.id', 'follows.followee_id')
        .select(['follows.followee_id', 'follows.create_time', 'users.username'])
        .where('follows.follower_id', '=', userId)
        .where(accountEnabledCondition)
        .where(comesAfter('follows.create_time', 'follows.followee_id', after))
        .orderBy('follows.create_time')
        .orderBy('follows.followee_id')
        .limit(size)
        .execute(),
  );
}

function presentFollow({ username, create_time }: Follow) {
  return { username, create_time: formatExportTime(create_time) };
}

type OwnShare = Awaited<ReturnType<typeof sharesAfter>>[number];

function findShares(deps: Deps, userId: number) {
  return yieldRowPages(
    0,
    pageSize,
    (row: OwnShare) => row.id,
    (after, size) => sharesAfter(deps, userId, after, size),
  );
}

function sharesAfter({ db }: Deps, userId: number, after: number, size: number) {
  return db
    .slow()
    .selectFrom('shares')
    .leftJoin('photos', 'photos.id', 'shares.photo_id')
    .leftJoin('users', 'users.id', 'photos.user_id')
    .leftJoin('albums', 'albums.id', 'shares.album_id')
    .selectAll('shares')
    .select(photoColumns(userId))
    .select((is) =>
      is.case().when('albums.user_id', '=', userId).then(is.ref('albums.name')).end().as('album'),
    )
    .where('shares.user_id', '=', userId)
    .where('shares.id', '>', after)
    .orderBy('shares.id')
    .limit(size)
    .execute();
}

/** Converts a share to JSON without its token, because a reader of the archive must not be able to open the link. */
function presentShare(share: OwnShare) {
  return {
    type: share.type,
    photo_id: share.photo_id,
    title: share.title,
    album_id: share.album_id,
    album: share.album,
    has_password: share.password_hash === '' ? 0 : 1,
    allow_download: share.allow_download,
    expire_time: share.expire_time === null ? null : formatExportTime(share.expire_time),
    max_views: share.max_views,
    views: share.views,
    downloads: share.downloads,
    create_time: formatExportTime(share.create_time),
  };
}
