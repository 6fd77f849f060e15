/**
 * A query as SQL: a condition on `photos`, true or false and never unknown, so that what is excluded is exactly the
 * rest. All that a client wrote is a parameter; the text of the SQL is made of what stands here alone.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { containing } from '../../../platform/db/fold.ts';
import type { SearchScope } from '../../../platform/db/search.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { Condition, Flag, Measure, Shape } from './fields.ts';
import type { Query } from './parse.ts';
import type { Bound } from './ranges.ts';
import type { SmartAlbum } from './smart.ts';

type Sql = RawBuilder<SqlBool>;

export interface Asked {
  db: Pick<Deps['db'], 'search' | 'inTime'>;
  /** 0 is anonymous. */
  viewerId: number;
  /** Photos of one visibility, of everybody or of one owner: the rows that are asked are among these. */
  scope: SearchScope;
  /** Photos are asked one by one, in the order of a list, rather than found: see `SearchIndex.matches`. */
  isTested: boolean;
  /** Those that `album:` stands for what their rules find, by id. */
  smart?: ReadonlyMap<number, SmartAlbum>;
}

/** Whether there is still time is asked first, of rows that do not match as of others: see `inTime`. */
export function queryCondition(query: Query, asked: Asked): Sql {
  return sql<SqlBool>`(${asked.db.inTime('photos.id')} AND ${sqlOf(query, asked)})`;
}

const always = sql<SqlBool>`1 = 1`;
const never = sql<SqlBool>`1 = 0`;

function sqlOf(query: Query, asked: Asked): Sql {
  switch (query.kind) {
    case 'all':
      return sql<SqlBool>`(${sql.join(
        query.of.map((one) => sqlOf(one, asked)),
        sql` AND `,
      )})`;
    case 'any':
      return sql<SqlBool>`(${sql.join(
        query.of.map((one) => sqlOf(one, { ...asked, isTested: false })),
        sql` OR `,
      )})`;
    case 'not':
      return sql<SqlBool>`NOT ${sqlOf(query.of, { ...asked, isTested: false })}`;
    default:
      return sql<SqlBool>`(${conditionOf(query, asked)})`;
  }
}

function conditionOf(condition: Condition, asked: Asked): Sql {
  const { db, viewerId, scope, isTested } = asked;
  switch (condition.kind) {
    case 'words': {
      const found = db.search.matches(condition.text, scope, isTested);
      // The index may look long and find nothing: what begins after the time must not even begin.
      return isOneOf(sql`SELECT found.id FROM (SELECT 0 AS id) AS first CROSS JOIN ${found} AS found
        WHERE ${db.inTime('first.id')} AND ${db.inTime('found.id')}`);
    }
    case 'tag':
      return isOneOf(sql`${taggedWith(condition.text, scope)} AND ${db.inTime('photo_tags.photo_id')}`);
    case 'by':
      return sql<SqlBool>`photos.user_id IN (SELECT users.id FROM users WHERE users.username_key = ${condition.text})`;
    case 'album':
      return isIn(condition.id, asked);
    case 'camera':
    case 'lens':
      return sql<SqlBool>`${nameOf(condition.kind, isTested)} IN
        (SELECT gear.name FROM gear WHERE ${db.inTime('gear.rowid')} AND ${containing('gear.name_key', condition.text)})`;
    case 'range':
      return rangeOf(condition.of, condition.bounds);
    case 'is':
      return flagOf(condition.flag, { db, viewerId, scope });
    case 'shape':
      return shapes[condition.shape];
    case 'type':
      return ofType(condition.extension, db);
  }
}

function isIn(id: number, asked: Asked): Sql {
  const album = asked.smart?.get(id);
  if (album) return sql<SqlBool>`photos.user_id = ${album.userId} AND ${ruleCondition(album, asked)}`;
  return sql<SqlBool>`photos.album_id IS NOT NULL AND photos.album_id = ${id}`;
}

/**
 * Whether a rule finds a photo of its owner, whoever asks: likes in it are the owner's. An `album:` in it is never
 * that of another rule, so that none is asked for twice.
 */
export function ruleCondition(
  { userId, rule }: SmartAlbum,
  { db, scope, isTested }: Pick<Asked, 'db' | 'scope' | 'isTested'>,
): Sql {
  if (!rule || (scope.userId !== undefined && scope.userId !== userId)) return never;
  return sqlOf(rule, { db, viewerId: userId, scope: { ...scope, userId }, isTested });
}

/** Ids of the photos of a scope that carry a folded tag. */
export function taggedWith(tag: string, { visibility, userId }: SearchScope): RawBuilder<unknown> {
  const owner = userId === undefined ? sql`` : sql`AND user_id = ${userId}`;
  return sql`SELECT photo_id FROM photo_tags
    WHERE name_key = ${tag} AND visibility = ${visibility} ${owner}`;
}

function isOneOf(ids: RawBuilder<unknown>): Sql {
  return sql<SqlBool>`photos.id IN (${ids})`;
}

/** What a file does not say is in no range. */
function rangeOf(of: Measure, bounds: Bound[]): Sql {
  const { column, type, isKnown } = measures[of];
  const compared = bounds.map(
    ({ operator, value }) => sql`${column} ${sql.raw(operator)} CAST(${value} AS ${sql.raw(type)})`,
  );
  return sql<SqlBool>`${sql.join([...(isKnown ? [isKnown] : []), ...compared], sql` AND `)}`;
}

/** A walk goes through the index of its list: the one that begins with cameras is hidden from it. */
function nameOf(kind: 'camera' | 'lens', isTested: boolean): RawBuilder<unknown> {
  const column = sql.ref(`photos.${kind}`);
  return isTested ? sql`(${column} || '')` : column;
}

interface Measured {
  column: RawBuilder<unknown>;
  type: 'bigint' | 'double precision';
  isKnown?: RawBuilder<unknown>;
}

/** Adding 0 hides a column from the indexes of lists, which would look at the table for each match. */
const measures: Record<Measure, Measured> = {
  iso: { column: sql`photos.iso`, type: 'bigint', isKnown: sql`photos.iso > 0` },
  // "f/2.8"
  aperture: {
    column: sql`CAST(NULLIF(substr(photos.aperture, 3), '') AS double precision)`,
    type: 'double precision',
    isKnown: sql`photos.aperture <> ''`,
  },
  focal_length: {
    column: sql`photos.focal_length`,
    type: 'double precision',
    isKnown: sql`photos.focal_length > 0`,
  },
  size: { column: sql`(photos.size + 0)`, type: 'bigint' },
  taken_time: { column: sql`(photos.taken_time + 0)`, type: 'bigint' },
  create_time: { column: sql`(photos.create_time + 0)`, type: 'bigint' },
};

function flagOf(flag: Flag, { db, viewerId, scope }: Omit<Asked, 'isTested'>): Sql {
  const reactions = (table: 'likes' | 'favorites') =>
    isOneOf(sql`SELECT photo_id FROM ${sql.table(table)}
      WHERE user_id = ${viewerId} AND ${db.inTime(`${table}.photo_id`)}`);
  switch (flag) {
    case 'public':
      return scope.visibility === Visibility.public ? always : never;
    case 'private':
      return scope.visibility === Visibility.private ? always : never;
    case 'liked':
      return reactions('likes');
    case 'favorite':
      return reactions('favorites');
    case 'edited':
      return sql<SqlBool>`EXISTS (SELECT 1 FROM edits WHERE edits.photo_id = photos.id)`;
    case 'animated':
      return isOneOf(sql`SELECT photo_id FROM images WHERE frames > 1 AND ${db.inTime('images.photo_id')}`);
  }
}

const shapes: Record<Shape, Sql> = {
  landscape: sql<SqlBool>`photos.width > photos.height`,
  portrait: sql<SqlBool>`photos.width < photos.height`,
  square: sql<SqlBool>`photos.width = photos.height`,
  panorama: sql<SqlBool>`photos.width >= 2 * photos.height`,
};

/** Most photos are JPEGs: the index of formats holds only the others. */
function ofType(extension: string, db: Asked['db']): Sql {
  const others = sql`SELECT photo_id FROM images
    WHERE kind = 'original' AND extension <> 'jpg' AND ${db.inTime('images.photo_id')}`;
  return extension === 'jpg'
    ? sql<SqlBool>`NOT ${isOneOf(others)}`
    : isOneOf(sql`${others} AND extension = ${extension}`);
}
