/** What matches where something but photos' rows tells: indexes of words, tags, likes, formats. */
import { type RawBuilder, sql } from 'kysely';
import type { SearchScope } from '../../../platform/db/search.ts';
import type { Asked } from './asked.ts';
import type { Flag } from './fields.ts';
import type { Query } from './parse.ts';

export type Ids = RawBuilder<unknown>;

/** A query for the ids of photos, some of them twice. Undefined for what rows are asked for. */
export function idsOf(query: Query, asked: Asked): Ids | undefined {
  const { db, viewerId, scope, isTested, lead } = asked;
  switch (query.kind) {
    case 'any': {
      const each = query.of.map((one) => idsOf(one, { ...asked, isTested: false }));
      return each.every((ids) => ids !== undefined) ? sql.join(each, sql` UNION ALL `) : undefined;
    }
    case 'words': {
      // Where something else leads, few are asked.
      const found = db.search.matches(query.text, scope, isTested || (lead !== undefined && lead !== query));
      return sql`SELECT found.id FROM ${found} AS found WHERE ${db.inTime('found.id')}`;
    }
    case 'tag':
      return sql`${taggedWith(query.text, scope)} AND ${db.inTime('photo_tags.photo_id')}`;
    case 'is':
      return flagged(query.flag, viewerId, db);
    case 'type':
      return query.extension === 'jpg'
        ? undefined
        : sql`${otherFormats(db)} AND extension = ${query.extension}`;
    default:
      return undefined;
  }
}

function flagged(flag: Flag, viewerId: number, db: Asked['db']): Ids | undefined {
  if (flag === 'animated')
    return sql`SELECT photo_id FROM images WHERE frames > 1 AND ${db.inTime('images.photo_id')}`;
  if (flag !== 'liked' && flag !== 'favorite') return undefined;
  const table = flag === 'liked' ? 'likes' : 'favorites';
  return sql`SELECT photo_id FROM ${sql.table(table)}
    WHERE user_id = ${viewerId} AND ${db.inTime(`${table}.photo_id`)}`;
}

/** Most photos are JPEGs: the index of formats holds only the others. */
export function otherFormats(db: Asked['db']): Ids {
  return sql`SELECT photo_id FROM images
    WHERE kind = 'original' AND extension <> 'jpg' AND ${db.inTime('images.photo_id')}`;
}

/** Ids of the photos of a scope that carry a folded tag. */
export function taggedWith(tag: string, { visibility, userId }: SearchScope): Ids {
  const owner = userId === undefined ? sql`` : sql`AND user_id = ${userId}`;
  return sql`SELECT photo_id FROM photo_tags
    WHERE name_key = ${tag} AND visibility = ${visibility} ${owner}`;
}
