/** The rule of who sees a photo (permissions.ts), in SQL: to be part of a query on `photos`. */
import { type Expression, type SqlBool, sql } from 'kysely';

const statusOfOwner = sql<number>`(SELECT owners.status FROM users AS owners WHERE owners.id = photos.user_id)`;

/** A column for `canSee`: whether the photo's owner is disabled. */
export const ownerStatus = statusOfOwner.as('owner_status');

/** Viewer 0 is nobody; `isAdmin` is 0 or 1. Placeholders of prepared queries will do. */
export function photoIsVisibleTo(viewer: { id: number; isAdmin: number }): Expression<SqlBool> {
  return sql<SqlBool>`((photos.visibility = 2 AND ${statusOfOwner} = 1) OR (photos.visibility > 0
    AND (photos.user_id = ${viewer.id} OR ${viewer.isAdmin} = 1)))`;
}
