/** Chooses how a page's rows are found, and finds them. */
import { type Prepared, prepare } from '../db/prepared.ts';
import type { Deps } from '../deps.ts';
import type { Window } from '../http/pagination.ts';
import { isNarrowed } from './list-count.ts';
import type { ListFilter } from './list-filter.ts';
import type { Strategy } from './list-narrow.ts';
import { type PagePlan, pageQuery } from './list-page.ts';
import type { PhotoItemRow } from './present.ts';

/** `total` is the exact number of the list's photos. */
export type ReadRows = (filter: ListFilter, window: Window, total: number) => Promise<PhotoItemRow[]>;

/** From this offset on, a page is read beside the event loop. */
const farOffset = 2000;

/** Fewer matches than this are always fetched and sorted; of more, it depends on how far a walk would lead. */
const alwaysFetched = 200;

export function createReadRows(deps: Deps): ReadRows {
  const plain = new Map<string, Prepared<PhotoItemRow>>();

  return async (filter, window, total) => {
    const near = fromNearerEnd(filter, window, total);
    if (!isNarrowed(filter) && near.window.offset < farOffset) return runPlain(deps, plain, near);
    const plan = { ...near, strategy: chooseStrategy(filter, near.window, total) };
    const { rows } = await deps.db.slow.executeQuery<PhotoItemRow>(
      pageQuery(deps.db.slow, deps.db.search.matches, plan).compile(),
    );
    return rows;
  };
}

/** A page in the second half is reached from the end: fewer rows to skip. */
function fromNearerEnd(filter: ListFilter, window: Window, total: number): PagePlan {
  const plan = { filter, window, strategy: 'walk' as const, order: filter.order };
  if (window.offset <= total / 2) return plan;
  const end = Math.min(window.offset + window.limit, total);
  return {
    ...plan,
    order: filter.order === 'asc' ? 'desc' : 'asc',
    window: { offset: total - end, limit: end - window.offset },
  };
}

/**
 * A walk visits rows until the page is full: the rarer the matches, the more. A fetch reads all of them. With
 * m matches among n photos a walk to the end of the page visits (offset + limit) · n / m rows, a fetch m.
 */
function chooseStrategy({ tag, keyword }: ListFilter, { offset, limit }: Window, matches: number): Strategy {
  if (tag === undefined && keyword === undefined) return 'walk';
  if (matches <= alwaysFetched) return 'fetch';
  return matches * matches <= (offset + limit) * assumedPhotos ? 'fetch' : 'walk';
}

/** Where the choice matters the library is large; how large exactly changes little. */
const assumedPhotos = 1_000_000;

/** The plain list, prepared once for each shape: sort, order, and whose photos. */
async function runPlain(
  { db }: Deps,
  prepared: Map<string, Prepared<PhotoItemRow>>,
  plan: PagePlan,
): Promise<PhotoItemRow[]> {
  const { filter, window, order } = plan;
  const owners = filter.branches.map(
    ({ visibility, userId }) => `${visibility}${userId === undefined ? '' : 'u'}`,
  );
  const shape = `${filter.column} ${filter.order} ${order} ${owners}`;
  let query = prepared.get(shape);
  if (!query) {
    query = preparePlain(db, plan);
    prepared.set(shape, query);
  }
  const [first, second] = filter.branches;
  return query({ ...window, owner0: first?.userId ?? 0, owner1: second?.userId ?? 0 });
}

function preparePlain(db: Deps['db'], plan: PagePlan): Prepared<PhotoItemRow> {
  return prepare<PhotoItemRow>(db, (kysely, arg) => {
    const branches = plan.filter.branches.map((branch, index) => ({
      ...branch,
      ...(branch.userId !== undefined && { userId: arg<number>(`owner${index}`) }),
    }));
    const window = { limit: arg<number>('limit'), offset: arg<number>('offset') };
    return pageQuery(kysely, db.search.matches, { ...plan, filter: { ...plan.filter, branches }, window });
  });
}
