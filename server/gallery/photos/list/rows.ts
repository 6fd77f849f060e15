/** Chooses how a page's rows are found, and finds them. */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../../../deps.ts';
import { type Prepared, prepare } from '../../../platform/db/prepared.ts';
import type { Window } from '../../../platform/http/pagination.ts';
import type { PhotoItemRow } from '../present.ts';
import { isNarrowed, readerOf, sumOf } from './count.ts';
import type { ListFilter } from './filter.ts';
import type { Strategy } from './narrow.ts';
import { isPassedWithin, type PagePlan, pageQuery } from './page.ts';
import { isAsked } from './sorting.ts';

type NumberedPlan = Omit<PagePlan, 'atMost'> & {
  window: Window;
  skipped: number;
};

/** From this offset on, a page is read beside the event loop. */
const farOffset = 2000;

/** Shapes of lists that are remembered: sort, order, owners, and the length of the first page. */
const maxShapes = 500;

/** As many matches at most are fetched and sorted. */
const maxFetched = 5000;

/** Of a query's matches, at most one in so many is reached through the list. */
const walkedShare = 20;

/** Makes the function that reads a page. Its `counts` are exact: of each branch, or one for all of them. */
export function createReadRows(deps: Deps) {
  const plain = new LRUCache<string, Prepared<PhotoItemRow>>({ max: maxShapes });

  return async (filter: ListFilter, window: Window, counts: number[]): Promise<PhotoItemRow[]> => {
    const page = planOf(deps, filter, window, counts);
    if (isPlain(page)) return runPlain(deps, plain, page);
    const atMost = page.window.offset + page.skipped + page.window.limit;
    const plan = { ...page, atMost, strategy: chooseStrategy(filter, sumOf(counts), atMost) };
    const kysely = readerOf(deps, filter);
    const { rows } = await kysely.executeQuery(pageQuery(kysely, deps.db, plan).compile());
    return rows as PhotoItemRow[];
  };
}

function planOf({ db }: Deps, filter: ListFilter, window: Window, counts: number[]): NumberedPlan {
  const plan = fromNearerEnd(filter, window, sumOf(counts));
  const isPassed = filter.branches[0] && isPassedWithin(db, plan, filter.branches[0]);
  return counts.length > 1 || isPassed ? skipFirst(plan, counts) : plan;
}

/** A list without filters, so near to one of its ends that it takes microseconds. */
function isPlain({ filter, window, skipped }: NumberedPlan): boolean {
  return !isNarrowed(filter) && window.offset + skipped < farOffset;
}

/** A page in the second half is reached from the end: fewer rows to skip. */
function fromNearerEnd(filter: ListFilter, window: Window, total: number): NumberedPlan {
  const plan = { filter, window, strategy: 'walk' as const, order: filter.order, skipped: 0 };
  if (window.offset <= total / 2) return plan;
  const end = Math.min(window.offset + window.limit, total);
  return {
    ...plan,
    order: filter.order === 'asc' ? 'desc' : 'asc',
    window: { offset: total - end, limit: end - window.offset },
  };
}

/**
 * Merging branches costs several times what walking over the entries of one does. Before the page there are at most all
 * of the other branches' rows; the first branch's are the rest, and so many of them are passed over before the merge.
 */
function skipFirst(plan: NumberedPlan, counts: number[]): NumberedPlan {
  const { limit, offset } = plan.window;
  const others = counts.slice(1).reduce((sum, count) => sum + count, 0);
  const merged = Math.min(offset, others);
  return { ...plan, window: { limit, offset: merged }, skipped: offset - merged };
}

/**
 * A fetch reads every match, a microsecond each while they are in memory and many times that when they are not. A
 * walk visits index entries until the page is full; even the whole index of a million takes a tenth of a second.
 */
function chooseStrategy(
  { tag, keyword, condition, column }: ListFilter,
  matches: number,
  atMost: number,
): Strategy {
  // All that a query asks stands in one index. A way through the list would be long where what matches stands together.
  if (condition)
    return isAsked(column) || matches <= 4 * maxFetched || atMost * walkedShare > matches ? 'fetch' : 'walk';
  const isSearch = tag !== undefined || keyword !== undefined;
  return isSearch && matches <= maxFetched ? 'fetch' : 'walk';
}

/** The plain list, prepared once for each shape. */
async function runPlain(
  { db }: Deps,
  prepared: LRUCache<string, Prepared<PhotoItemRow>>,
  plan: NumberedPlan,
): Promise<PhotoItemRow[]> {
  const { filter, window, order, skipped } = plan;
  const owners = filter.branches.map(
    ({ visibility, userId }) => `${visibility}${userId === undefined ? '' : 'u'}`,
  );
  const page = `${window.limit} ${skipped > 0 ? 'skipping' : ''} ${atMostOf(plan)}`;
  const shape = `${filter.column} ${filter.order} ${order} ${owners} ${filter.showsDisabled} ${tellsReactions(filter)} ${page}`;
  let query = prepared.get(shape);
  if (!query) {
    query = preparePlain(db, plan);
    prepared.set(shape, query);
  }
  const [first, second] = filter.branches;
  return query({
    offset: window.offset,
    skipped,
    owner0: first?.userId ?? 0,
    owner1: second?.userId ?? 0,
    viewer: filter.viewerId as number,
    reactionsOf: filter.reactionsOf as number,
  });
}

function preparePlain(db: Deps['db'], plan: NumberedPlan): Prepared<PhotoItemRow> {
  return prepare<PhotoItemRow>(db, (kysely, arg) => {
    const branches = plan.filter.branches.map((branch, index) => ({
      ...branch,
      ...(branch.userId !== undefined && { userId: arg<number>(`owner${index}`) }),
    }));
    const offset = isFirst(plan) ? sql.lit(0) : arg<number>('offset');
    return pageQuery(kysely, db, {
      ...plan,
      filter: {
        ...plan.filter,
        branches,
        viewerId: arg<number>('viewer'),
        reactionsOf: tellsReactions(plan.filter) ? arg<number>('reactionsOf') : 0,
      },
      window: { limit: sql.lit(plan.window.limit), offset },
      skipped: plan.skipped > 0 ? arg<number>('skipped') : 0,
      atMost: sql.lit(atMostOf(plan)),
    });
  });
}

function tellsReactions({ reactionsOf }: ListFilter): boolean {
  return reactionsOf !== 0;
}

/** In steps, so that there are few statements. */
function atMostOf({ window, skipped }: NumberedPlan): number {
  const end = skipped + window.offset + window.limit;
  return isFirst({ window, skipped }) ? end : 2 ** Math.ceil(Math.log2(end));
}

function isFirst({ window, skipped }: Pick<NumberedPlan, 'window' | 'skipped'>): boolean {
  return window.offset === 0 && skipped === 0;
}
