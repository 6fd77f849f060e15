/**
 * Converts a search query into an SQL condition on `photos`. The condition is true or false and never unknown, so that
 * NOT selects exactly the other photos. All text from the client becomes parameters, and this file contains the rest of
 * the SQL.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { containsFolded } from '../../../platform/db/fold.ts';
import type { SearchScope } from '../../../platform/db/search.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { PhotoFlag, PhotoMeasure, PhotoShape, SearchCondition } from './fields.ts';
import { type PhotoIdsSql, selectAlbumPhotoIds, selectTaggedIds } from './ids-sql.ts';
import { selectAlbums, selectOwners } from './names-sql.ts';
import type { SearchQuery } from './parse.ts';
import type { RangeBound } from './ranges.ts';
import type { QueryAlbums, SmartAlbum } from './smart.ts';

type Sql = RawBuilder<SqlBool>;

export interface SearchQueryContext {
  db: Pick<Deps['db'], 'search' | 'deadlineCheck' | 'month'>;
  /** Id of the viewer; 0 is anonymous. */
  viewerId: number;
  /** Whether the viewer sees the ratings of all photos, as admins do. Others see those of their own photos. */
  seesAllRatings?: boolean;
  /** Scope that all tested rows are in: one visibility, and everyone's photos or those of one owner. */
  scope: SearchScope;
  /**
   * True if photos are tested one by one in the order of a list, and false if the condition finds them: see
   * `SearchIndex.matches`.
   */
  isTested: boolean;
  /** True if the query reads rows of the search index instead of photos (`SearchIndexTexts`). */
  isOfTexts?: boolean | undefined;
  /** Albums that `album:` names and the viewer can see. A rule, which has none, can name every album of its owner. */
  albums?: QueryAlbums;
}

/**
 * Returns the condition of a query. The deadline check comes first, so that rows without a match are checked too: see
 * `deadlineCheck`.
 */
export function buildQueryCondition(query: SearchQuery, asked: SearchQueryContext): Sql {
  return sql<SqlBool>`(${asked.db.deadlineCheck('photos.id')} AND ${toSql(query, asked)})`;
}

const trueCondition = sql<SqlBool>`1 = 1`;
const falseCondition = sql<SqlBool>`1 = 0`;

function toSql(query: SearchQuery, asked: SearchQueryContext): Sql {
  if (asked.isOfTexts && query.kind === 'words') return asked.db.search.texts!.contain(query.text);
  const ids = matchingIds(query, asked);
  if (ids) return hasIdIn(ids);
  switch (query.kind) {
    case 'all':
      return sql<SqlBool>`(${sql.join(listOperands(query.of, asked), sql` AND `)})`;
    case 'any':
      return sql<SqlBool>`(${sql.join(
        query.of.map((one) => toSql(one, asOperand(asked))),
        sql` OR `,
      )})`;
    case 'not':
      return sql<SqlBool>`NOT ${toSql(query.of, asOperand(asked))}`;
    default:
      return sql<SqlBool>`(${conditionToSql(query, asked)})`;
  }
}

/**
 * Returns the conditions that must all hold. The words come first, in one look into the search index, which intersects
 * their matches. SQLite finds photos by the first condition with ids, and a rare word then limits the other conditions.
 */
function listOperands(operands: SearchQuery[], asked: SearchQueryContext): Sql[] {
  if (asked.isOfTexts) return operands.map((one) => toSql(one, asked));
  const words = operands.flatMap((one) => (one.kind === 'words' ? [one.text] : []));
  const others = operands.filter(({ kind }) => kind !== 'words').map((one) => toSql(one, asked));
  return words.length === 0 ? others : [hasIdIn(selectMatches(words, asked)), ...others];
}

function selectMatches(words: string[], { db, scope, isTested }: SearchQueryContext): PhotoIdsSql {
  return sql`SELECT found.id FROM ${db.search.matches(words, scope, isTested)} AS found
    WHERE ${db.deadlineCheck('found.id')}`;
}

/**
 * Returns the options for operands of OR and NOT. Such an operand neither finds all photos of the query nor tests each
 * of them.
 */
function asOperand(asked: SearchQueryContext): SearchQueryContext {
  return { ...asked, isTested: false, isOfTexts: false };
}

/** Returns true if the query requires words, so that it can read the texts of the search index instead of photos. */
export function requiresSearchWords(query: SearchQuery): boolean {
  return query.kind === 'all' ? query.of.some(requiresSearchWords) : query.kind === 'words';
}

function conditionToSql(condition: SearchCondition, asked: SearchQueryContext): Sql {
  switch (condition.kind) {
    case 'by':
      return sql<SqlBool>`photos.user_id IN
        (SELECT users.id FROM users WHERE users.username_key = ${condition.text})`;
    case 'owner':
      return sql<SqlBool>`photos.user_id IN (${selectOwners(asked.db, condition.text)})`;
    case 'month':
      return sql<SqlBool>`substr(${asked.db.month('photos.taken_time')}, 6, 2) = ${String(condition.month).padStart(2, '0')}`;
    case 'album':
      return smartAlbumCondition(condition.id, asked);
    case 'camera':
    case 'lens':
      return isOfEquipment(condition.kind, asked, condition.text);
    case 'range':
      return isInRange(condition);
    case 'is':
      return flagToSql(condition.flag, asked.scope);
    case 'shape':
      return conditionByShape[condition.shape];
    default:
      // JPEG is the only format without an id list, because the index of formats omits it: see `otherFormats`.
      return sql<SqlBool>`NOT ${hasIdIn(otherFormats(asked.db))}`;
  }
}

function hasIdIn(ids: PhotoIdsSql): Sql {
  return sql<SqlBool>`(photos.id IN (${ids}))`;
}

function smartAlbumCondition(id: number, asked: SearchQueryContext): Sql {
  const album = asked.albums?.get(id);
  return album && album !== 'ordinary'
    ? sql<SqlBool>`photos.user_id = ${album.userId} AND ${buildRuleCondition(album, asked)}`
    : falseCondition;
}

function isOfEquipment(kind: 'camera' | 'lens', { db }: SearchQueryContext, text: string): Sql {
  const names = sql`SELECT equipment_names.name FROM equipment_names
    WHERE ${db.deadlineCheck('equipment_names.rowid')} AND ${containsFolded('equipment_names.name_key', text)}`;
  return sql<SqlBool>`${sql.ref(`photos.${kind}`)} IN (${names})`;
}

/**
 * Returns the condition of a smart album's rule, which applies to its owner's photos. `is:liked` means the owner's
 * likes, for every viewer. An `album:` in a rule never means another smart album, so that rules cannot refer to each
 * other in a circle.
 */
export function buildRuleCondition(
  { userId, rule }: SmartAlbum,
  asked: Omit<SearchQueryContext, 'viewerId' | 'albums'>,
): Sql {
  const { db, scope, isTested, isOfTexts } = asked;
  if (!rule || (scope.userId !== undefined && scope.userId !== userId)) return falseCondition;
  return toSql(rule, { db, viewerId: userId, scope: { ...scope, userId }, isTested, isOfTexts });
}

/** Returns the condition of a range. Photos whose files lack the value never match. */
function isInRange({ of, bounds }: Extract<SearchCondition, { kind: 'range' }>): Sql {
  const { column = sql.ref(`photos.${of}`), type, isKnown } = columnByMeasure[of];
  const measure = isShort(of, bounds) ? column : sql`(${column} + 0)`;
  const compared = bounds.map(
    ({ operator, value }) => sql`${measure} ${sql.raw(operator)} CAST(${value} AS ${sql.raw(type)})`,
  );
  return sql<SqlBool>`${sql.join([...(isKnown ? [isKnown] : []), ...compared], sql` AND `)}`;
}

/**
 * Returns true if the database may use the column's own index for a range. Planners expect few rows in any range and
 * then read the table for each row; adding 0 to the column prevents that. Only a range of capture times up to a week is
 * short enough. A range of upload times or sizes can contain any number of photos.
 */
function isShort(of: PhotoMeasure, bounds: RangeBound[]): boolean {
  const [from, to] = bounds;
  return of === 'taken_time' && !!from && !!to && to.value - from.value <= 7 * 86_400;
}

interface MeasuredColumn {
  /** SQL expression to compare, for a measure whose column has an unsuitable format. */
  column?: RawBuilder<unknown>;
  type: 'bigint' | 'double precision';
  isKnown?: RawBuilder<unknown>;
}

const columnByMeasure: Record<PhotoMeasure, MeasuredColumn> = {
  iso: { type: 'bigint', isKnown: sql`photos.iso > 0` },
  // The column has texts like "f/2.8", so the number starts at the third character.
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

/** Returns the SQL condition of `is:public`, `is:members`, `is:private` or `is:edited`. */
function flagToSql(flag: PhotoFlag, { visibility }: SearchScope): Sql {
  switch (flag) {
    case 'public':
      return visibility === Visibility.public ? trueCondition : falseCondition;
    case 'members':
      return visibility === Visibility.members ? trueCondition : falseCondition;
    case 'private':
      return visibility === Visibility.private ? trueCondition : falseCondition;
    default:
      return sql<SqlBool>`EXISTS (SELECT 1 FROM edits WHERE edits.photo_id = photos.id)`;
  }
}

const conditionByShape: Record<PhotoShape, Sql> = {
  landscape: sql<SqlBool>`photos.width > photos.height`,
  portrait: sql<SqlBool>`photos.width < photos.height`,
  square: sql<SqlBool>`photos.width = photos.height`,
  panorama: sql<SqlBool>`photos.width >= 2 * photos.height`,
};

/**
 * Returns a query for the ids of matching photos, possibly with repetitions. Returns undefined if a condition on the
 * photo's row answers the search query.
 */
function matchingIds(query: SearchQuery, asked: SearchQueryContext): PhotoIdsSql | undefined {
  const { db, viewerId, scope } = asked;
  switch (query.kind) {
    case 'any': {
      const each = query.of.map((one) => matchingIds(one, { ...asked, isTested: false }));
      return each.every((ids) => ids !== undefined) ? sql.join(each, sql` UNION ALL `) : undefined;
    }
    case 'words':
      return selectMatches([query.text], asked);
    case 'album':
      return asked.albums && asked.albums.get(query.id) !== 'ordinary'
        ? undefined
        : sql`${selectAlbumPhotoIds(query.id, scope)} AND ${db.deadlineCheck('album_photos.photo_id')}`;
    case 'albumName':
      return sql`SELECT album_photos.photo_id FROM album_photos WHERE album_photos.visibility = ${scope.visibility}
        AND ${db.deadlineCheck('album_photos.photo_id')}
        AND album_photos.album_id IN (${selectAlbums(db, query.text, viewerId)})`;
    case 'ownText':
      return sql`SELECT own.id FROM ${db.search.matchesOwn(query.text, viewerId)} AS own
        WHERE ${db.deadlineCheck('own.id')}`;
    case 'tag':
      return sql`${selectTaggedIds(query.text, scope)} AND ${db.deadlineCheck('photo_tags.photo_id')}`;
    case 'is':
      return selectFlaggedIds(query.flag, viewerId, db);
    case 'rating':
      return selectRatedIds(query.bounds, asked);
    case 'type':
      return query.extension === 'jpg'
        ? undefined
        : sql`${otherFormats(db)} AND extension = ${query.extension}`;
    default:
      return undefined;
  }
}

function selectFlaggedIds(
  flag: PhotoFlag,
  viewerId: number,
  db: SearchQueryContext['db'],
): PhotoIdsSql | undefined {
  if (flag === 'animated')
    return sql`SELECT photo_id FROM images WHERE frames > 1 AND ${db.deadlineCheck('images.photo_id')}`;
  if (flag !== 'liked' && flag !== 'favorite') return undefined;
  const table = flag === 'liked' ? 'likes' : 'favorites';
  return sql`SELECT photo_id FROM ${sql.table(table)}
    WHERE user_id = ${viewerId} AND ${db.deadlineCheck(`${table}.photo_id`)}`;
}

/** Selects the photos in a range of ratings among those whose rating the viewer sees. */
function selectRatedIds(
  bounds: RangeBound[],
  { db, viewerId, scope, seesAllRatings }: SearchQueryContext,
): PhotoIdsSql {
  const isSeen = seesAllRatings ? trueCondition : sql<SqlBool>`rated.user_id = ${viewerId}`;
  const compared = bounds.map(({ operator, value }) => sql`rated.rating ${sql.raw(operator)} ${value}`);
  return sql`SELECT rated.id FROM photos AS rated WHERE ${isSeen} AND rated.visibility = ${scope.visibility}
    AND ${sql.join(compared, sql` AND `)} AND ${db.deadlineCheck('rated.id')}`;
}

/**
 * Selects the photos whose original is no JPEG. Most photos are JPEGs, so the index of formats contains only the
 * others.
 */
function otherFormats(db: SearchQueryContext['db']): PhotoIdsSql {
  return sql`SELECT photo_id FROM images
    WHERE kind = 'original' AND extension <> 'jpg' AND ${db.deadlineCheck('images.photo_id')}`;
}
