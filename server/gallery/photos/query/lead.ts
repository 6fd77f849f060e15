/**
 * What the reads of a query begin with. A planner cannot know which of its conditions finds few photos, and where it
 * guesses wrong, it looks at the table for each of a million. So the entries of their indexes are counted, up to a bound.
 */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SearchScope } from '../../../platform/db/search.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import type { Query } from './parse.ts';
import { type Asked, idsOf, indexedCondition, type Lead } from './sql.ts';

export interface Candidate {
  lead: Lead;
  /** A query with a row for each entry of its index. */
  entries: RawBuilder<unknown>;
  /** Also where there are many: the index of all that queries ask begins with it. */
  isFirst?: boolean;
  /** Counted only where the others have many: PostgreSQL looks at each text to tell who sees it. */
  isLate?: boolean;
}

/** Looking at so many rows of the table takes less than a way through the index of all that queries ask. */
const maxLed = 10_000;
/** Of one set of photos. */
const maxCandidates = 8;

/** Conditions that all photos must meet which a query finds, and that have an index. */
export function candidatesOf(query: Query, asked: Asked): Candidate[] {
  const ids = idsOf(query, asked);
  if (ids) {
    const isLate = query.kind === 'words' && asked.db.search.texts !== undefined;
    return [{ lead: query, entries: ids, isLate }];
  }
  switch (query.kind) {
    case 'all':
      return query.of.flatMap((one) => candidatesOf(one, asked));
    case 'album':
    case 'range':
    case 'by':
    case 'camera': {
      const condition = indexedCondition(query, asked);
      if (!condition) return [];
      const entries = photosOf(asked.db, asked.scope, query, condition);
      return [{ lead: query, entries, isFirst: query.kind === 'camera' }];
    }
    default:
      return [];
  }
}

/** What a branch and a filter of a list have by themselves: the photos of an owner, or of an album. */
export function ownCandidates(db: Asked['db'], scope: SearchScope, albumId: number | undefined): Candidate[] {
  const candidates: Candidate[] = [];
  if (scope.userId !== undefined)
    candidates.push({ lead: 'owner', entries: photosOf(db, scope, 'owner', sql<SqlBool>`true`) });
  if (albumId !== undefined) {
    const isInAlbum = sql<SqlBool>`photos.album_id = ${albumId}`;
    candidates.push({ lead: 'album', entries: photosOf(db, scope, 'album', isInAlbum) });
  }
  return candidates;
}

function photosOf(
  db: Asked['db'],
  scope: SearchScope,
  lead: Lead,
  condition: RawBuilder<SqlBool>,
): RawBuilder<unknown> {
  return sql`SELECT photos.id FROM photos WHERE ${scopeCondition(db.hidden, scope, indexedBy(lead))} AND ${condition}`;
}

/** Which columns of its scope the index has that a lead begins with. */
export interface Indexed {
  visibility: boolean;
  owner: boolean;
}

export function indexedBy(lead: Lead | undefined): Indexed {
  if (lead === undefined) return { visibility: false, owner: false };
  if (lead === 'owner') return { visibility: true, owner: true };
  if (lead === 'album' || lead.kind === 'album' || lead.kind === 'by')
    return { visibility: true, owner: false };
  const isRange = lead.kind === 'range';
  return { visibility: isRange, owner: isRange };
}

export function scopeCondition(
  hidden: Asked['db']['hidden'],
  { visibility, userId }: SearchScope,
  indexed: Indexed,
): RawBuilder<SqlBool> {
  const column = (name: string, isShown: boolean) => (isShown ? sql.ref(name) : hidden(name));
  const isShown = sql<SqlBool>`${column('photos.visibility', indexed.visibility)} = ${visibility}`;
  if (userId === undefined) return isShown;
  return sql<SqlBool>`${isShown} AND ${column('photos.user_id', indexed.owner)} = ${userId}`;
}

export interface Beginning {
  lead?: Lead | undefined;
  /** Many photos may have them; where texts lie beside all that queries ask, that is the best to begin with (`SearchTexts`). */
  words?: Lead | undefined;
}

/**
 * For each of some sets of photos, of its candidates the one with the fewest entries; where all have many, a camera or
 * none. `isReadWhole`: words that are a set's only candidate, and lie beside all that is asked, need not be counted.
 */
export async function findLeads(
  kysely: Kysely<Tables>,
  sets: Candidate[][],
  isReadWhole = false,
): Promise<Beginning[]> {
  const given = sets.map((candidates) => candidates.slice(0, maxCandidates));
  const early = await findFewest(
    kysely,
    given.map((candidates) => candidates.filter(({ isLate }) => !isLate)),
  );
  const late = await findFewest(
    kysely,
    given.map((candidates, set) => {
      const isSettled = early[set] !== undefined || (isReadWhole && candidates.length === 1);
      return isSettled ? [] : candidates.filter(({ isLate }) => isLate);
    }),
  );
  return given.map((candidates, set) => {
    const fewest = early[set] ?? late[set];
    if (fewest) return { lead: fewest, ...(isWords(fewest) && { words: fewest }) };
    const words = candidates.find(({ lead }) => isWords(lead));
    const first = candidates.find(({ isFirst }) => isFirst);
    return { ...(first && { lead: first.lead }), ...(words && { words: words.lead }) };
  });
}

async function findFewest(kysely: Kysely<Tables>, sets: Candidate[][]): Promise<(Lead | undefined)[]> {
  const counted = sets.flatMap((candidates, set) =>
    candidates.map(
      ({ entries }, place) => sql`SELECT ${sql.lit(set)} AS "set", ${sql.lit(place)} AS place, count(*) AS n
        FROM (SELECT 1 AS one FROM (${entries}) AS entries LIMIT ${sql.lit(maxLed + 1)}) AS counted`,
    ),
  );
  if (counted.length === 0) return [];
  const { rows } = await sql<{ set: number; place: number; n: number }>`${sql.join(
    counted,
    sql` UNION ALL `,
  )}`.execute(kysely);
  return sets.map((candidates, set) => {
    const few = rows
      .filter((row) => row.set === set && row.n <= maxLed)
      .sort((one, other) => one.n - other.n || one.place - other.place);
    return few[0] && candidates[few[0].place]!.lead;
  });
}

function isWords(lead: Lead): boolean {
  return typeof lead === 'object' && lead.kind === 'words';
}
