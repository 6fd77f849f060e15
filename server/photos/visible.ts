/** The rule of who sees a photo (permissions.ts), in SQL: a condition on `photos`, to be part of a query. */
import { type Expression, type SqlBool, sql } from 'kysely';

/** Viewer 0 is nobody; `isAdmin` is 0 or 1. Placeholders of prepared queries will do. */
export function photoIsVisibleTo(viewer: { id: number; isAdmin: number }): Expression<SqlBool> {
  return sql<SqlBool>`(photos.visibility = 2 OR (photos.visibility = 1
    AND (photos.user_id = ${viewer.id} OR ${viewer.isAdmin} = 1)))`;
}
