/** Columns of list items, from photos joined with their counters and owners. */

import { sql } from 'kysely';
import type { QueryNumber } from '../../../platform/db/prepared.ts';
import { authorColumns } from '../../identity/present.ts';
import { currentVisibilityByOwner } from '../../library/visibility-sql.ts';

const columnsForAll = [
  'photos.id',
  'photos.title',
  'photos.image_key',
  'photo_views.views',
  'photo_counts.likes',
  'photo_counts.favorites',
  'photo_counts.comments',
  'photos.width',
  'photos.height',
  'photos.placeholder',
  'photos.create_time',
  'photos.update_time',
  'photos.taken_time',
  'photos.level',
  'photos.preview_extension',
  currentVisibilityByOwner,
  'photos.user_id',
  ...authorColumns,
] as const;

/**
 * Returns the columns of a PhotoItemRow. The viewer's like and favorite cost two index lookups per row, and none for an
 * anonymous viewer (0).
 */
export function selectPhotoItemColumns(viewer: QueryNumber) {
  return [
    ...columnsForAll,
    hasReacted('likes', viewer).as('is_liked'),
    hasReacted('favorites', viewer).as('is_favorited'),
  ] as const;
}

function hasReacted(table: 'likes' | 'favorites', viewer: QueryNumber) {
  if (viewer === 0) return sql<number>`0`;
  return sql<number>`(CASE WHEN EXISTS (SELECT 1 FROM ${sql.table(table)} AS own
    WHERE own.photo_id = photos.id AND own.user_id = ${viewer}) THEN 1 ELSE 0 END)`;
}
