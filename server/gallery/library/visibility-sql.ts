/** Builds SQL conditions for the rules of permissions.ts, for queries on `photos` or `albums`. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { UserStatus, Visibility } from '../../platform/db/states.ts';

const trashVisibilitySql = sql.lit(Visibility.trash);
const privateVisibilitySql = sql.lit(Visibility.private);
const publicVisibilitySql = sql.lit(Visibility.public);

const ownerStatusInSql = (table: 'photos' | 'albums') =>
  sql<UserStatus>`(SELECT owners.status FROM users AS owners WHERE owners.id = ${sql.ref(`${table}.user_id`)})`;

/** Column of a query on `photos`: the account status of the photo's owner. */
export const ownerStatus = ownerStatusInSql('photos').as('owner_status');

/** Column of a query on `albums`: the account status of the album's owner. */
export const albumOwnerStatus = ownerStatusInSql('albums').as('owner_status');

const isOwnerEnabled = (table: 'photos' | 'albums') =>
  sql<SqlBool>`${ownerStatusInSql(table)} = ${sql.lit(UserStatus.enabled)}`;

/** SQL condition: the photo's album does not hide the photo. A photo without an album needs no look-up. */
const isAlbumPublic = sql<SqlBool>`(photos.album_id IS NULL OR coalesce((SELECT holders.visibility FROM albums AS holders
  WHERE holders.id = photos.album_id), ${publicVisibilitySql}) = ${publicVisibilitySql})`;

/**
 * SQL condition: the row is public, and so are its owner's account and its album at this moment. The row alone may
 * be out of date, because a background job updates rows after an album or account was hidden.
 */
const isPublicNow = (table: 'photos' | 'albums', isEnabled = isOwnerEnabled(table)) =>
  table === 'photos'
    ? sql<SqlBool>`(photos.visibility = ${publicVisibilitySql} AND ${isEnabled} AND ${isAlbumPublic})`
    : sql<SqlBool>`(albums.visibility = ${publicVisibilitySql} AND ${isEnabled})`;

const effectiveVisibility = (table: 'photos' | 'albums', isEnabled = isOwnerEnabled(table)) => {
  const visibility = sql.ref<Visibility>(`${table}.visibility`);
  return sql<Visibility>`CASE WHEN ${visibility} = ${publicVisibilitySql} AND NOT ${isPublicNow(table, isEnabled)}
    THEN ${privateVisibilitySql} ELSE ${visibility} END`;
};

/** Column of a query on `photos`: the current visibility of the photo, for `canSee`. */
export const visibilityNow = effectiveVisibility('photos').as('visibility_now');

/** Column with the current visibility of a photo, for a query that already joins the photo's owner as `users`. */
export const visibilityNowByOwner = effectiveVisibility(
  'photos',
  sql<SqlBool>`users.status = ${sql.lit(UserStatus.enabled)}`,
).as('visibility_now');

/** Column of a query on `albums`: the current visibility of the album, for `canSee`. */
export const albumVisibilityNow = <Name extends string = 'visibility_now'>(name = 'visibility_now' as Name) =>
  effectiveVisibility('albums').as(name);

/** SQL condition on `photos`: the photo is not in the trash. */
export const isNotTrashed = sql<SqlBool>`photos.visibility > ${trashVisibilitySql}`;

/**
 * Returns a SQL condition on `photos`: the viewer can see the photo. Viewer 0 is anonymous, and `isAdmin` is 0 or
 * 1. The id and `isAdmin` can be placeholders of a prepared query.
 */
export function visibleTo(viewer: { id: number; isAdmin: number }): Expression<SqlBool> {
  return sql<SqlBool>`(${isPublicNow('photos')} OR (${isNotTrashed}
    AND (photos.user_id = ${viewer.id} OR ${viewer.isAdmin} = 1)))`;
}

/**
 * Returns a SQL condition for photos found in an index of public photos: their album was not hidden a moment ago.
 * The viewer's own photos always pass.
 */
export function isNotHiddenSince(viewer: number | RawBuilder<number>): Expression<SqlBool> {
  return sql<SqlBool>`(photos.visibility <> ${publicVisibilitySql} OR photos.user_id = ${viewer} OR ${isAlbumPublic})`;
}

/**
 * SQL condition: the account is enabled. The status is a constant, because SQLite plans a statement again for each
 * bound argument of a partial index, and planning costs more than running.
 */
export const accountIsEnabled = sql<SqlBool>`users.status = ${sql.lit(UserStatus.enabled)}`;
