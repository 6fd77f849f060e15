/** What a query or the rule of a smart album asks for, as a condition on the photos of a branch. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { SearchScope } from '../../../platform/db/search.ts';
import type { AlbumRow } from '../../../platform/db/tables.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { parseQuery } from '../query/parse.ts';
import { findSmart, smartAlbumOf } from '../query/smart.ts';
import { queryCondition, ruleCondition } from '../query/sql.ts';

/** `isTested`: see `Asked`. */
export type PhotoCondition = (branch: SearchScope, isTested: boolean) => RawBuilder<SqlBool>;

/** Undefined for a query that asks for nothing. Throws invalid where it names too many smart albums. */
export async function readCondition(
  deps: Deps,
  viewer: Viewer | undefined,
  text: string,
): Promise<PhotoCondition | undefined> {
  const query = parseQuery(text);
  if (!query) return undefined;
  const smart = await findSmart(deps, viewer, query);
  const asked = { db: deps.db, viewerId: viewer?.id ?? 0, smart };
  return (scope, isTested) => queryCondition(query, { ...asked, scope, isTested });
}

/** Of a smart album: its branches are its owner's photos. */
export function ruleOf({ db }: Pick<Deps, 'db'>, album: Pick<AlbumRow, 'user_id' | 'rule'>): PhotoCondition {
  const smart = smartAlbumOf(album);
  return (scope, isTested) =>
    sql<SqlBool>`(${db.inTime('photos.id')} AND ${ruleCondition(smart, { db, scope, isTested })})`;
}

export function both(one: PhotoCondition, other: PhotoCondition | undefined): PhotoCondition {
  if (!other) return one;
  return (scope, isTested) => sql<SqlBool>`(${one(scope, isTested)} AND ${other(scope, isTested)})`;
}
