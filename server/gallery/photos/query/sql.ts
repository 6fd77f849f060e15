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
import type { SmartAlbum } from './smart.ts';

type Sql = RawBuilder<SqlBool>;

/** What a read begins with: a part of a query that finds few photos, or the owner or album of few. */
export type Lead = Query | 'owner' | 'album';

export interface Asked {
  db: Pick<Deps['db'], 'search' | 'deadlineCheck' | 'isAmong' | 'hidden'>;
  /** 0 is anonymous. */
  viewerId: number;
  /** Photos of one visibility, of everybody or of one owner: the rows that are asked are among these. */
  scope: SearchScope;
  /** Photos are asked one by one, in the order of a list, rather than found: see `SearchIndex.matches`. */
  isTested: boolean;
  /** What photos are found by (`lead.ts`). From the planner it is hidden what else they could be found by. */
  lead?: Lead | undefined;
  /** Rows of texts stand for those of photos (`SearchTexts`). Then the lead is words. */
  isOfTexts?: boolean | undefined;
  /** Those that `album:` stands for what their rules find, by id. */
  smart?: ReadonlyMap<number, SmartAlbum>;
}

/** Whether there is still time is asked first, of rows that do not match as of others: see `deadlineCheck`. */
export function queryCondition(query: Query, asked: Asked): Sql {
  return sql<SqlBool>`(${asked.db.deadlineCheck('photos.id')} AND ${sqlOf(query, asked)})`;
}

const always = sql<SqlBool>`1 = 1`;
const never = sql<SqlBool>`1 = 0`;

function sqlOf(query: Query, asked: Asked): Sql {
  const isLead = query === asked.lead;
  if (isLead && asked.isOfTexts && query.kind === 'words') return asked.db.search.texts!.contain(query.text);
  const ids = idsOf(query, asked);
  if (ids) return isOneOf(ids, isLead);
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

/** A condition by itself, as what photos are found by. Undefined where no index leads to what it finds. */
export function indexedCondition(condition: Condition, asked: Asked): Sql | undefined {
  if (condition.kind === 'range' && measures[condition.of].column) return undefined;
  const album = condition.kind === 'album' && asked.smart?.get(condition.id);
  if (album) return sql<SqlBool>`photos.user_id = ${album.userId}`;
  return conditionOf(condition, { ...asked, isTested: false, lead: condition });
}

function conditionOf(condition: Condition, asked: Asked): Sql {
  const isLead = condition === asked.lead;
  switch (condition.kind) {
    case 'by':
      return sql<SqlBool>`${shownIf(isLead, 'user_id', asked)} IN
        (SELECT users.id FROM users WHERE users.username_key = ${condition.text})`;
    case 'album':
      return isIn(condition.id, asked, isLead);
    case 'camera':
    case 'lens':
      return isOfGear(condition.kind, isLead, asked, condition.text);
    case 'range':
      return rangeOf(condition, isLead, asked);
    case 'is':
      return flagOf(condition.flag, asked.scope);
    case 'shape':
      return shapes[condition.shape];
    default:
      // The one that is not told by ids: see there.
      return sql<SqlBool>`NOT ${isOneOf(otherFormats(asked.db), false)}`;
  }
}

function shownIf(
  isLead: boolean,
  column: 'user_id' | 'album_id' | Measure,
  { db }: Asked,
): RawBuilder<unknown> {
  const name = `photos.${column}`;
  return isLead ? sql.ref(name) : db.hidden(name);
}

/** Adding 0 hides the ids: how many photos have a word, both planners guess wrong. */
function isOneOf(ids: Ids, isLead: boolean): Sql {
  return sql<SqlBool>`(${isLead ? sql.ref('photos.id') : sql`(photos.id + 0)`} IN (${ids}))`;
}

function isIn(id: number, asked: Asked, isLead: boolean): Sql {
  const album = asked.smart?.get(id);
  if (album)
    return sql<SqlBool>`${shownIf(isLead, 'user_id', asked)} = ${album.userId} AND ${ruleCondition(album, asked)}`;
  return sql<SqlBool>`photos.album_id IS NOT NULL AND ${shownIf(isLead, 'album_id', asked)} = ${id}`;
}

function isOfGear(kind: 'camera' | 'lens', isLead: boolean, { db }: Asked, text: string): Sql {
  const name = sql.ref(`photos.${kind}`);
  const names = sql`SELECT gear.name FROM gear
    WHERE ${db.deadlineCheck('gear.rowid')} AND ${containing('gear.name_key', text)}`;
  return isLead ? db.isAmong(name, names) : sql<SqlBool>`(${name} || '') IN (${names})`;
}

/**
 * Whether a rule finds a photo of its owner, whoever asks: likes in it are the owner's. An `album:` in it is never
 * that of another rule, so that none is asked for twice.
 */
export function ruleCondition(album: SmartAlbum, asked: RuleAsked): Sql {
  const found = ruleAsked(album, asked);
  return found ? sqlOf(found.rule, found.asked) : never;
}

type RuleAsked = Omit<Asked, 'viewerId' | 'smart'>;

/** Undefined where it finds nothing in the scope. */
export function ruleAsked({ userId, rule }: SmartAlbum, asked: RuleAsked) {
  const { db, scope, isTested, lead, isOfTexts } = asked;
  if (!rule || (scope.userId !== undefined && scope.userId !== userId)) return undefined;
  return { rule, asked: { db, viewerId: userId, scope: { ...scope, userId }, isTested, lead, isOfTexts } };
}

/** What a file does not say is in no range. */
function rangeOf({ of, bounds }: Extract<Condition, { kind: 'range' }>, isLead: boolean, asked: Asked): Sql {
  const { column, type, isKnown } = measures[of];
  const compared = bounds.map(
    ({ operator, value }) =>
      sql`${column ?? shownIf(isLead, of, asked)} ${sql.raw(operator)} CAST(${value} AS ${sql.raw(type)})`,
  );
  return sql<SqlBool>`${sql.join([...(isKnown ? [isKnown] : []), ...compared], sql` AND `)}`;
}

interface Measured {
  /** Where the column of that name leads no index. */
  column?: RawBuilder<unknown>;
  type: 'bigint' | 'double precision';
  isKnown?: RawBuilder<unknown>;
}

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
export function otherFormats(db: Asked['db']): Ids {
  return sql`SELECT photo_id FROM images
    WHERE kind = 'original' AND extension <> 'jpg' AND ${db.deadlineCheck('images.photo_id')}`;
}

/** Ids of the photos of a scope that carry a folded tag. */
export function taggedWith(tag: string, { visibility, userId }: SearchScope): Ids {
  const owner = userId === undefined ? sql`` : sql`AND user_id = ${userId}`;
  return sql`SELECT photo_id FROM photo_tags
    WHERE name_key = ${tag} AND visibility = ${visibility} ${owner}`;
}
