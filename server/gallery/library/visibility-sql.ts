/** Builds SQL conditions for the rules of permissions.ts, for queries on `photos` or `albums`. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { UserStatus, Visibility } from '../../platform/db/states.ts';

const trashVisibilitySql = sql.lit(Visibility.trash);
const privateVisibilitySql = sql.lit(Visibility.private);
const membersVisibilitySql = sql.lit(Visibility.members);
const publicVisibilitySql = sql.lit(Visibility.public);

const ownerStatusInSql = (table: 'photos' | 'albums') =>
  sql<UserStatus>`(SELECT owners.status FROM users AS owners WHERE owners.id = ${sql.ref(`${table}.user_id`)})`;

/** Column of a query on `photos`: the account status of the photo's owner. */
export const photoOwnerStatusColumn = ownerStatusInSql('photos').as('owner_status');

/** Column of a query on `albums`: the account status of the album's owner. */
export const albumOwnerStatusColumn = ownerStatusInSql('albums').as('owner_status');

const isOwnerEnabled = (table: 'photos' | 'albums') =>
  sql<SqlBool>`${ownerStatusInSql(table)} = ${sql.lit(UserStatus.enabled)}`;

/** Visibility of the photo's main album at this moment. Null for a photo without an album. */
const albumVisibilityInSql = sql<Visibility | null>`(SELECT holders.visibility FROM albums AS holders
  WHERE holders.id = photos.album_id)`;

/**
 * Visibility of a row, narrowed by its owner's account and its album at this moment. The row alone may be out of
 * date, because a background job updates rows after an album or account was hidden.
 */
const effectiveVisibility = (table: 'photos' | 'albums', isEnabled = isOwnerEnabled(table)) => {
  const visibility = sql.ref<Visibility>(`${table}.visibility`);
  const inAlbum = sql`CASE coalesce(${albumVisibilityInSql}, ${publicVisibilitySql})
    WHEN ${privateVisibilitySql} THEN ${privateVisibilitySql}
    WHEN ${membersVisibilitySql} THEN ${membersVisibilitySql} ELSE ${visibility} END`;
  return sql<Visibility>`CASE WHEN ${visibility} <= ${privateVisibilitySql} THEN ${visibility}
    WHEN NOT ${isEnabled} THEN ${privateVisibilitySql}
    ${table === 'photos' ? sql`WHEN photos.album_id IS NOT NULL THEN ${inAlbum}` : sql``}
    ELSE ${visibility} END`;
};

/** Column of a query on `photos`: the current visibility of the photo, for `canSee`. */
export const currentVisibilityColumn = effectiveVisibility('photos').as('visibility_now');

/** Column with the current visibility of a photo, for a query that already joins the photo's owner as `users`. */
export const currentVisibilityByOwner = effectiveVisibility(
  'photos',
  sql<SqlBool>`users.status = ${sql.lit(UserStatus.enabled)}`,
).as('visibility_now');

/** Column of a query on `albums`: the current visibility of the album, for `canSee`. */
export const albumCurrentVisibilityColumn = <Name extends string = 'visibility_now'>(
  name = 'visibility_now' as Name,
) => effectiveVisibility('albums').as(name);

/** SQL condition on `photos`: the photo is not in the trash. */
export const notTrashedCondition = sql<SqlBool>`photos.visibility > ${trashVisibilitySql}`;

/** Visibility that the viewer sees besides `public`: `members` if signed in, and `public` for viewer 0, who is anonymous. */
const memberVisibilityFor = (viewer: number | RawBuilder<number>) =>
  sql`CASE WHEN CAST(${viewer} AS bigint) <> 0 THEN ${membersVisibilitySql} ELSE ${publicVisibilitySql} END`;

/**
 * Returns a SQL condition on `photos`: the viewer can see the photo. Viewer 0 is anonymous, and `isAdmin` is 0 or
 * 1. The id and `isAdmin` can be placeholders of a prepared query.
 */
export function visibleToViewerCondition(viewer: { id: number; isAdmin: number }): Expression<SqlBool> {
  return sql<SqlBool>`(${effectiveVisibility('photos')} IN (${publicVisibilitySql}, ${memberVisibilityFor(viewer.id)})
    OR (${notTrashedCondition} AND (photos.user_id = ${viewer.id} OR ${viewer.isAdmin} = 1)))`;
}

/**
 * Returns a SQL condition for photos found in an index by their visibility: their album was not hidden from the viewer
 * a moment ago. The viewer's own photos always pass.
 */
export function notHiddenByAlbumCondition(viewer: number | RawBuilder<number>): Expression<SqlBool> {
  return sql<SqlBool>`(photos.visibility = ${privateVisibilitySql} OR photos.user_id = ${viewer}
    OR photos.album_id IS NULL OR coalesce(${albumVisibilityInSql}, ${publicVisibilitySql})
      IN (${publicVisibilitySql}, ${memberVisibilityFor(viewer)}))`;
}

/** Returns a SQL condition on `photos`: the photo is in no album that the viewer can see. Viewer 0 is anonymous. */
export function inNoAlbumCondition(viewer: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`NOT EXISTS (SELECT 1 FROM album_photos JOIN albums ON albums.id = album_photos.album_id
    WHERE album_photos.photo_id = photos.id AND ${visibleAlbumCondition(viewer)})`;
}

/** Returns a SQL condition on `albums`: the viewer can see the album. Viewer 0 is anonymous. */
export function visibleAlbumCondition(viewer: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(albums.user_id = ${viewer}
    OR albums.visibility IN (${publicVisibilitySql}, ${memberVisibilityFor(viewer)}))`;
}

/**
 * SQL condition: the account is enabled. The status is a constant, because SQLite plans a statement again for each
 * bound argument of a partial index, and planning costs more than running.
 */
export const accountEnabledCondition = sql<SqlBool>`users.status = ${sql.lit(UserStatus.enabled)}`;
