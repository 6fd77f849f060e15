/** Turns a search query or the rule of a smart album into an SQL condition. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { SearchScope } from '../../../platform/db/search.ts';
import type { AlbumRow } from '../../../platform/db/tables.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { inNoAlbumCondition } from '../../library/visibility-sql.ts';
import { parseSearchQuery } from './parse.ts';
import { findQueryAlbums, toSmartAlbum } from './smart.ts';
import {
  buildQueryCondition,
  buildRuleCondition,
  requiresSearchWords,
  type SearchQueryContext,
} from './sql.ts';
import { widenWords } from './widen.ts';

export interface PhotoCondition {
  where(scope: SearchScope, how: Pick<SearchQueryContext, 'isTested' | 'isOfTexts'>): RawBuilder<SqlBool>;
  hasWords: boolean;
}

/**
 * Returns the condition of a search query, or undefined for an empty query. `seesAllRatings` is true for admins. Throws invalid if the query names too many
 * smart albums.
 */
export async function readSearchCondition(
  deps: Deps,
  viewer: Viewer | undefined,
  text: string,
  { seesAllRatings = false }: { seesAllRatings?: boolean } = {},
): Promise<PhotoCondition | undefined> {
  const typed = parseSearchQuery(text);
  if (!typed) return undefined;
  const albums = await findQueryAlbums(deps, viewer, typed);
  const query = await widenWords(deps, viewer?.id ?? 0, typed);
  const asked = { db: deps.db, viewerId: viewer?.id ?? 0, seesAllRatings, albums };
  return {
    where: (scope, how) => buildQueryCondition(query, { ...asked, scope, ...how }),
    hasWords: requiresSearchWords(query),
  };
}

/** Returns the condition of a smart album. The list's branches contain only photos of the album's owner. */
export function createSmartAlbumCondition(
  { db }: Pick<Deps, 'db'>,
  album: Pick<AlbumRow, 'user_id' | 'rule'>,
): PhotoCondition {
  const smart = toSmartAlbum(album);
  return {
    where: (scope, how) =>
      sql<SqlBool>`(${db.deadlineCheck('photos.id')} AND ${buildRuleCondition(smart, { db, scope, ...how })})`,
    hasWords: smart.rule !== undefined && requiresSearchWords(smart.rule),
  };
}

/** Returns the condition for photos that are in no album that the viewer can see. */
export function createNoAlbumCondition({ db }: Pick<Deps, 'db'>, viewer: Viewer | undefined): PhotoCondition {
  return {
    where: () => sql<SqlBool>`(${db.deadlineCheck('photos.id')} AND ${inNoAlbumCondition(viewer?.id ?? 0)})`,
    hasWords: false,
  };
}

/** Returns a condition that requires all given ones, or undefined if none is given. */
export function combineConditions(...given: (PhotoCondition | undefined)[]): PhotoCondition | undefined {
  return given.reduce((one, other) => {
    if (!one || !other) return one ?? other;
    return {
      where: (scope, how) => sql<SqlBool>`(${one.where(scope, how)} AND ${other.where(scope, how)})`,
      hasWords: one.hasWords || other.hasWords,
    };
  });
}
