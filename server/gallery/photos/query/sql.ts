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
  db: Pick<Deps['db'], 'search' | 'deadlineCheck'>;
  /** 0 is anonymous. */
  viewerId: number;
  /** Photos of one visibility, of everybody or of one owner: the rows that are asked are among these. */
  scope: SearchScope;
  /** Photos are tested one by one, in the order of a list, rather than found: see `SearchIndex.matches`. */
  isTested: boolean;
  /** The query reads rows of texts in place of photos (`SearchTexts`). */
  isOfTexts?: boolean | undefined;
  /** Smart albums that `album:` names and the viewer may see, by id. */
  smart?: ReadonlyMap<number, SmartAlbum>;
}

/** The deadline is checked first, for rows that do not match, too: see `deadlineCheck`. */
export function queryCondition(query: Query, asked: Asked): Sql {
  return sql<SqlBool>`(${asked.db.deadlineCheck('photos.id')} AND ${sqlOf(query, asked)})`;
}

const always = sql<SqlBool>`1 = 1`;
const never = sql<SqlBool>`1 = 0`;

function sqlOf(query: Query, asked: Asked): Sql {
  if (asked.isOfTexts && query.kind === 'words') return asked.db.search.texts!.contain(query.text);
  const ids = idsOf(query, asked);
  if (ids) return isOneOf(ids);
  switch (query.kind) {
    case 'all':
      return sql<SqlBool>`(${sql.join(
        query.of.map((one) => sqlOf(one, asked)),
        sql` AND `,
      )})`;
    case 'any':
      return sql<SqlBool>`(${sql.join(
        query.of.map((one) => sqlOf(one, asOperand(asked))),
        sql` OR `,
      )})`;
    case 'not':
      return sql<SqlBool>`NOT ${sqlOf(query.of, asOperand(asked))}`;
    default:
      return sql<SqlBool>`(${conditionOf(query, asked)})`;
  }
}

/** Within OR and NOT, a condition neither finds all photos of the query nor tests each of them. */
function asOperand(asked: Asked): Asked {
  return { ...asked, isTested: false, isOfTexts: false };
}

/** Whether the query requires words, so that it can read the texts of the search index instead of photos. */
export function hasWords(query: Query): boolean {
  return query.kind === 'all' ? query.of.some(hasWords) : query.kind === 'words';
}

function conditionOf(condition: Condition, asked: Asked): Sql {
  switch (condition.kind) {
    case 'by':
      return sql<SqlBool>`photos.user_id IN
        (SELECT users.id FROM users WHERE users.username_key = ${condition.text})`;
    case 'album':
      return isIn(condition.id, asked);
    case 'camera':
    case 'lens':
      return isOfEquipment(condition.kind, asked, condition.text);
    case 'range':
      return isInRange(condition);
    case 'is':
      return flagOf(condition.flag, asked.scope);
    case 'shape':
      return shapes[condition.shape];
    default:
      // The one that is not told by ids: see there.
      return sql<SqlBool>`NOT ${isOneOf(otherFormats(asked.db))}`;
  }
}

function isOneOf(ids: Ids): Sql {
  return sql<SqlBool>`(photos.id IN (${ids}))`;
}

function isIn(id: number, asked: Asked): Sql {
  const album = asked.smart?.get(id);
  if (album) return sql<SqlBool>`photos.user_id = ${album.userId} AND ${ruleCondition(album, asked)}`;
  return sql<SqlBool>`photos.album_id IS NOT NULL AND photos.album_id = ${id}`;
}

function isOfEquipment(kind: 'camera' | 'lens', { db }: Asked, text: string): Sql {
  const names = sql`SELECT equipment_names.name FROM equipment_names
    WHERE ${db.deadlineCheck('equipment_names.rowid')} AND ${containing('equipment_names.name_key', text)}`;
  return sql<SqlBool>`${sql.ref(`photos.${kind}`)} IN (${names})`;
}

/**
 * Whether a rule finds a photo of its owner, whoever asks: likes in it are the owner's. An `album:` in it is never
 * that of another rule, so that none is asked for twice.
 */
export function ruleCondition({ userId, rule }: SmartAlbum, asked: Omit<Asked, 'viewerId' | 'smart'>): Sql {
  const { db, scope, isTested, isOfTexts } = asked;
  if (!rule || (scope.userId !== undefined && scope.userId !== userId)) return never;
  return sqlOf(rule, { db, viewerId: userId, scope: { ...scope, userId }, isTested, isOfTexts });
}

/** A value that the file does not have is in no range. */
function isInRange({ of, bounds }: Extract<Condition, { kind: 'range' }>): Sql {
  const { column = sql.ref(`photos.${of}`), type, isKnown } = measures[of];
  const measure = isShort(of, bounds) ? column : sql`(${column} + 0)`;
  const compared = bounds.map(
    ({ operator, value }) => sql`${measure} ${sql.raw(operator)} CAST(${value} AS ${sql.raw(type)})`,
  );
  return sql<SqlBool>`${sql.join([...(isKnown ? [isKnown] : []), ...compared], sql` AND `)}`;
}

/**
 * Whether a range is left to the index of its column. Planners expect few rows of any range, and then read the table
 * for each row; adding 0 hides the column. A week has few of all photos by the day on which they were taken. By upload
 * time or size, any number of photos may be in a range.
 */
function isShort(of: Measure, bounds: Bound[]): boolean {
  const [from, to] = bounds;
  return of === 'taken_time' && !!from && !!to && to.value - from.value <= 7 * 86_400;
}

interface Measured {
  /** Instead of the column of that name. */
  column?: RawBuilder<unknown>;
  type: 'bigint' | 'double precision';
  isKnown?: RawBuilder<unknown>;
}

const measures: Record<Measure, Measured> = {
  iso: { type: 'bigint', isKnown: sql`photos.iso > 0` },
  // "f/2.8"
  aperture: {
    column: sql`CAST(NULLIF(substr(photos.aperture, 3), '') AS double precision)`,
    type: 'double precision',
    isKnown: sql`photos.aperture <> ''`,
  },
  focal_length: {
    type: 'double precision',
    isKnown: sql`photos.focal_length > 0`,
  },
  size: { type: 'bigint' },
  taken_time: { type: 'bigint' },
  create_time: { type: 'bigint' },
};

/** Those about rows. */
function flagOf(flag: Flag, { visibility }: SearchScope): Sql {
  switch (flag) {
    case 'public':
      return visibility === Visibility.public ? always : never;
    case 'private':
      return visibility === Visibility.private ? always : never;
    default:
      return sql<SqlBool>`EXISTS (SELECT 1 FROM edits WHERE edits.photo_id = photos.id)`;
  }
}

const shapes: Record<Shape, Sql> = {
  landscape: sql<SqlBool>`photos.width > photos.height`,
  portrait: sql<SqlBool>`photos.width < photos.height`,
  square: sql<SqlBool>`photos.width = photos.height`,
  panorama: sql<SqlBool>`photos.width >= 2 * photos.height`,
};

export type Ids = RawBuilder<unknown>;

/** A query for the ids of photos, with repetitions. Undefined if a condition on the row answers the query. */
function idsOf(query: Query, asked: Asked): Ids | undefined {
  const { db, viewerId, scope, isTested } = asked;
  switch (query.kind) {
    case 'any': {
      const each = query.of.map((one) => idsOf(one, { ...asked, isTested: false }));
      return each.every((ids) => ids !== undefined) ? sql.join(each, sql` UNION ALL `) : undefined;
    }
    case 'words': {
      const found = db.search.matches(query.text, scope, isTested);
      return sql`SELECT found.id FROM ${found} AS found WHERE ${db.deadlineCheck('found.id')}`;
    }
    case 'tag':
      return sql`${taggedWith(query.text, scope)} AND ${db.deadlineCheck('photo_tags.photo_id')}`;
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
    return sql`SELECT photo_id FROM images WHERE frames > 1 AND ${db.deadlineCheck('images.photo_id')}`;
  if (flag !== 'liked' && flag !== 'favorite') return undefined;
  const table = flag === 'liked' ? 'likes' : 'favorites';
  return sql`SELECT photo_id FROM ${sql.table(table)}
    WHERE user_id = ${viewerId} AND ${db.deadlineCheck(`${table}.photo_id`)}`;
}

/** Most photos are JPEGs: the index of formats holds only the others. */
function otherFormats(db: Asked['db']): Ids {
  return sql`SELECT photo_id FROM images
    WHERE kind = 'original' AND extension <> 'jpg' AND ${db.deadlineCheck('images.photo_id')}`;
}

/** Ids of the photos of a scope that carry a folded tag. */
export function taggedWith(tag: string, { visibility, userId }: SearchScope): Ids {
  const owner = userId === undefined ? sql`` : sql`AND user_id = ${userId}`;
  return sql`SELECT photo_id FROM photo_tags
    WHERE name_key = ${tag} AND visibility = ${visibility} ${owner}`;
}
