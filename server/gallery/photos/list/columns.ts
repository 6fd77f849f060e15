/** What the rows of lists have. `users` is the photo's owner. */

import { type SqlBool, sql } from 'kysely';
import type { QueryNumber } from '../../../platform/db/prepared.ts';
import { Visibility } from '../../../platform/db/states.ts';
import { authorColumns } from '../../accounts/present.ts';
import { everybody } from '../../library/counts.ts';
import { visibilityNowByOwner } from '../../library/visible.ts';
import type { PhotoItemRow } from '../present.ts';
import type { Branch } from './filter.ts';

const counters = ['photos.views', 'photos.likes', 'photos.favorites', 'photos.comments'] as const;
const columnsForAll = [
  'photos.id',
  'photos.title',
  'photos.image_key',
  ...counters,
  'photos.width',
  'photos.height',
  'photos.placeholder',
  'photos.create_time',
  'photos.update_time',
  'photos.taken_time',
  'photos.is_public',
  'photos.preview_extension',
  visibilityNowByOwner,
  'photos.user_id',
  ...authorColumns,
] as const;

/** See PhotoItemRow; with the viewer's likes and favorites: two looks into an index for each row, none for 0, who is anonymous. */
export function itemColumns(viewer: QueryNumber) {
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

/** Of the photo and of its owner, in one number: both are drawn, and what changes either makes it another. */
export const itemVersion = sql<number>`photos.item_version - users.item_version`.as('version');

/** What is never kept of an item (items.ts). */
export interface BriefRow extends Pick<PhotoItemRow, 'id' | 'views' | 'likes' | 'favorites' | 'comments'> {
  version: number;
  /** Not there for who is anonymous: see `seenOf`. */
  flags?: number;
}

/**
 * Few numbers, of which one says what concerns the viewer: handing over each value of a page costs as much as finding it.
 */
export function briefColumns(viewer: QueryNumber) {
  const photo = ['photos.id', ...counters, itemVersion] as const;
  if (viewer === 0) return [...photo];
  const [isLiked, isFavorited] = [hasReacted('likes', viewer), hasReacted('favorites', viewer)];
  const flags = sql<number>`(${visibilityNowByOwner.expression}) * 4 + ${isLiked} * 2 + ${isFavorited}`;
  return [...photo, flags.as('flags')];
}

/** Public, and without reactions. Who is anonymous sees nothing else. */
const usualFlags = Visibility.public * 4;

export const isUsual = ({ flags = usualFlags }: BriefRow) => flags === usualFlags;

/** How the viewer of a row sees its photo. */
export function seenOf({ flags = usualFlags }: BriefRow) {
  return {
    visibility_now: (flags >> 2) as Visibility,
    is_liked: (flags >> 1) & 1,
    is_favorited: flags & 1,
  };
}

/** A condition: each branch has so many photos in all. */
export function haveTotals(branches: Branch[], totals: QueryNumber[]) {
  const isTotal = ({ userId = everybody, visibility }: Branch, index: number) =>
    sql`coalesce((SELECT n FROM photo_totals WHERE user_id = ${userId} AND visibility = ${visibility}), 0) = ${totals[index]}`;
  return sql.join<SqlBool>(branches.map(isTotal), sql` AND `);
}
