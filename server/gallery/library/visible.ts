/** The rule of who sees a photo or an album (permissions.ts), in SQL: to be part of a query on `photos` or `albums`. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { UserStatus, Visibility } from '../../platform/db/states.ts';

const trash = sql.lit(Visibility.trash);
const isPrivate = sql.lit(Visibility.private);
const isPublic = sql.lit(Visibility.public);

const statusOfOwner = (table: 'photos' | 'albums') =>
  sql<UserStatus>`(SELECT owners.status FROM users AS owners WHERE owners.id = ${sql.ref(`${table}.user_id`)})`;

/** A column of a photo: whether its owner is disabled. */
export const ownerStatus = statusOfOwner('photos').as('owner_status');

/** The same of an album. */
export const albumOwnerStatus = statusOfOwner('albums').as('owner_status');

const isOfEnabled = (table: 'photos' | 'albums') =>
  sql<SqlBool>`${statusOfOwner(table)} = ${sql.lit(UserStatus.enabled)}`;

/** A photo's album does not hide it; one that is in none is hidden by none, and asks no other row. */
const isInPublic = sql<SqlBool>`(photos.album_id IS NULL OR coalesce((SELECT holders.visibility FROM albums AS holders
  WHERE holders.id = photos.album_id), ${isPublic}) = ${isPublic})`;

/** What a row says is out of date where its owner's account or its album was hidden a moment ago: these are asked. */
const isPublicNow = (table: 'photos' | 'albums', isEnabled = isOfEnabled(table)) =>
  table === 'photos'
    ? sql<SqlBool>`(photos.visibility = ${isPublic} AND ${isEnabled} AND ${isInPublic})`
    : sql<SqlBool>`(albums.visibility = ${isPublic} AND ${isEnabled})`;

const now = (table: 'photos' | 'albums', isEnabled = isOfEnabled(table)) => {
  const visibility = sql.ref<Visibility>(`${table}.visibility`);
  return sql<Visibility>`CASE WHEN ${visibility} = ${isPublic} AND NOT ${isPublicNow(table, isEnabled)}
    THEN ${isPrivate} ELSE ${visibility} END`;
};

/** A column for `canSee`, of a photo. */
export const visibilityNow = now('photos').as('visibility_now');

/** The same in a query that joins the photo's owner as `users`, which has the status at hand. */
export const visibilityNowByOwner = now(
  'photos',
  sql<SqlBool>`users.status = ${sql.lit(UserStatus.enabled)}`,
).as('visibility_now');

/** The same of an album. */
export const albumVisibilityNow = <Name extends string = 'visibility_now'>(name = 'visibility_now' as Name) =>
  now('albums').as(name);

/** A condition on `photos`: it is not in the trash. */
export const isNotTrashed = sql<SqlBool>`photos.visibility > ${trash}`;

/**
 * A condition on `photos`. Viewer 0 is anonymous; `isAdmin` is 0 or 1. Both may be placeholders of a prepared query.
 */
export function visibleTo(viewer: { id: number; isAdmin: number }): Expression<SqlBool> {
  return sql<SqlBool>`(${isPublicNow('photos')} OR (${isNotTrashed}
    AND (photos.user_id = ${viewer.id} OR ${viewer.isAdmin} = 1)))`;
}

/**
 * A condition on photos that an index of public ones gave: they are not in an album that was hidden a moment ago. The
 * viewer still sees their own.
 */
export function isNotHiddenSince(viewer: number | RawBuilder<number>): Expression<SqlBool> {
  return sql<SqlBool>`(photos.visibility <> ${isPublic} OR photos.user_id = ${viewer} OR ${isInPublic})`;
}

/**
 * A constant, not an argument: `users` has partial indexes by status, and SQLite makes the plan of a statement anew
 * each time an argument is bound that such an index could depend on. That costs more than running it.
 */
export const accountIsEnabled = sql<SqlBool>`users.status = ${sql.lit(UserStatus.enabled)}`;
