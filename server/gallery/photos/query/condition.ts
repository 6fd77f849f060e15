/** What a query or the rule of a smart album asks for, as a condition on the photos of a branch. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { bounded } from '../../../platform/db/dialect.ts';
import type { SearchScope } from '../../../platform/db/search.ts';
import type { AlbumRow } from '../../../platform/db/tables.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { type Candidate, candidatesOf, findLeads, ownCandidates } from './lead.ts';
import { parseQuery } from './parse.ts';
import { findSmart, smartAlbumOf } from './smart.ts';
import { type Lead, queryCondition, ruleAsked, ruleCondition } from './sql.ts';

/** On the photos of a branch. */
export interface PhotoCondition {
  /** `isTested`: see `Asked`. */
  where(branch: Branch, isTested: boolean): RawBuilder<SqlBool>;
  candidates(branch: SearchScope): Candidate[];
}

/** A set of photos that one index holds in order. A list is the union of at most two of them. */
export interface Branch extends SearchScope {
  /** What its photos are found by, where there is a condition. */
  lead?: Lead | undefined;
  /** See `Beginning`. */
  words?: Lead | undefined;
  /** See `Asked`. */
  isOfTexts?: boolean | undefined;
}

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
  return {
    where: ({ lead, words, isOfTexts, ...scope }, isTested) =>
      queryCondition(query, { ...asked, scope, isTested, lead, isOfTexts }),
    candidates: (scope) => candidatesOf(query, { ...asked, scope, isTested: false }),
  };
}

/** Of a smart album: its branches are its owner's photos. */
export function ruleOf({ db }: Pick<Deps, 'db'>, album: Pick<AlbumRow, 'user_id' | 'rule'>): PhotoCondition {
  const smart = smartAlbumOf(album);
  return {
    where: ({ lead, words, isOfTexts, ...scope }, isTested) =>
      sql<SqlBool>`(${db.deadlineCheck('photos.id')}
        AND ${ruleCondition(smart, { db, scope, isTested, lead, isOfTexts })})`,
    candidates(scope) {
      const found = ruleAsked(smart, { db, scope, isTested: false });
      return found ? candidatesOf(found.rule, found.asked) : [];
    },
  };
}

export function both(one: PhotoCondition, other: PhotoCondition | undefined): PhotoCondition {
  if (!other) return one;
  return {
    where: (branch, isTested) =>
      sql<SqlBool>`(${one.where(branch, isTested)} AND ${other.where(branch, isTested)})`,
    candidates: (scope) => [...one.candidates(scope), ...other.candidates(scope)],
  };
}

interface Led {
  condition: PhotoCondition | undefined;
  albumId: number | undefined;
  /** All that is found is read at once (`foundQuery`), also where it is much. */
  isReadWhole?: boolean;
}

/** Tells of each branch what its photos are found by. Throws QueryTooSlow. */
export async function withLeads(
  { db }: Pick<Deps, 'db'>,
  branches: Branch[],
  { condition, albumId, isReadWhole = false }: Led,
): Promise<Branch[]> {
  if (!condition) return branches;
  const candidates = branches.map((branch) => [
    ...ownCandidates(db, branch, albumId),
    ...condition.candidates(branch),
  ]);
  const beginnings = await findLeads(db.slow(bounded), candidates, isReadWhole);
  return branches.map((branch, place) => ({ ...branch, ...beginnings[place] }));
}
