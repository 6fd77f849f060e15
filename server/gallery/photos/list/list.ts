/**
 * The photo list: resolves the filter, counts the total and reads one page. The cost of an unfiltered list does not
 * grow with the library.
 */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../../../deps.ts';
import { boundedReadOptions } from '../../../platform/db/dialect.ts';
import { type PreparedRead, prepareRead } from '../../../platform/db/prepared.ts';
import { createPagination, type RowWindow, toRowWindow } from '../../../platform/http/pagination.ts';
import { createViewerPathSigner } from '../../delivery/paths.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { recordAdminLook } from '../../moderation/admin-looks.ts';
import { type PhotoItemRow, presentPhotoItem } from '../present.ts';
import type { PhotoItem } from '../schema.ts';
import { findPageAroundPhoto } from './around.ts';
import { chooseConnection, countNarrowed, hasAnyPhoto, prepareCount } from './count.ts';
import { type EmptyResult, explainEmptyResult } from './explain-empty.ts';
import {
  hasFilterConditions,
  isInSearchFilterIndex,
  type PhotoListFilter,
  type PhotoListRequest,
  resolvePhotoListFilter,
} from './filter.ts';
import {
  buildPhotoPageQuery,
  buildPhotoPageWithTotal,
  hasListOrderIndex,
  type PageQueryPlan,
  type PhotoPageStrategy,
} from './query.ts';
import { type FoundPage, type ReadPhotoPage, readRankedPage } from './ranked.ts';

export interface PhotoPage extends Partial<EmptyResult> {
  list: PhotoItem[];
  pagination: { page: number; limit: number; total: number; pages: number };
}

/** Maximum number of cached prepared statements for unfiltered lists. */
const maxShapes = 500;
/** Maximum number of search matches that are fetched and sorted. */
const maxFetched = 5000;
/** Maximum number of photos of one owner or album that are fetched and sorted if no index has their order. */
const maxSorted = 20_000;
/**
 * Limit for walking an index. If a page needs more than one twentieth of the matches, fetching all matches is faster.
 */
const maxWalkedFraction = 20;

/**
 * Returns the function that lists photos. `resolveFilter` decides which photos the viewer sees. The function throws
 * invalid, unauthenticated, albumNotFound, albumForbidden, photoNotFound or QueryTooSlow.
 */
export function createListPhotos(
  deps: Deps,
  resolveFilter: typeof resolvePhotoListFilter = resolvePhotoListFilter,
) {
  const readPhotos = createReadPhotoPage(deps);

  return async (viewer: Viewer | undefined, query: PhotoListRequest): Promise<PhotoPage> => {
    const filter = await resolveFilter(deps, viewer, query);
    const { rows, total, page = query.page } = await readPhotos(filter, toRowWindow(query), query.around);
    if (query.album_id !== undefined) for (const row of rows) recordAdminLook(deps, viewer, row);
    const signer = createViewerPathSigner(deps, viewer);
    const hasPhotos = async (q: string) => {
      return hasAnyPhoto(deps.db, await resolveFilter(deps, viewer, { ...query, q, sort: 'create_time' }));
    };
    return {
      list: rows.map((row) => presentPhotoItem(row, signer)),
      pagination: createPagination({ ...query, page }, total),
      ...(total === 0 && query.q?.trim() && (await explainEmptyResult(query.q, hasPhotos))),
    };
  };
}

/** Returns the function that reads a page: the page at an offset, or the page that contains the photo `around`. */
export function createReadPhotoPage(deps: Deps): ReadPhotoPage {
  const readSorted = createReadSortedPage(deps);
  return (filter, window, around) =>
    filter.rankedWords
      ? readRankedPage(deps, readSorted, { filter, window, around })
      : readSorted(filter, window, around);
}

function createReadSortedPage(deps: Deps): ReadPhotoPage {
  const { db } = deps;
  const countPlain = prepareCount(db);
  const plainPages = new LRUCache<string, PreparedRead<PhotoItemRow>>({ max: maxShapes });

  return async (given: PhotoListFilter, window: RowWindow, around?: number): Promise<FoundPage> => {
    if (around === undefined && isAnsweredByFilterIndex(given)) return readFound(db, given, window);
    const counts = hasFilterConditions(given)
      ? await countNarrowed(db, given)
      : await countPlain(given.branches);
    const branches = given.branches.map((branch, at) => ({ ...branch, isFew: counts[at]! <= maxSorted }));
    const filter = { ...given, branches };
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (around !== undefined) {
      const strategy = filter.condition ? 'fetch' : chooseStrategy(filter, total, window.limit);
      return { total, ...(await findPageAroundPhoto(deps, { ...filter, strategy }, around, window.limit)) };
    }
    if (window.offset >= total) return { total, rows: [] };
    const plan = planPage(filter, window, counts);
    const isPlain =
      !hasFilterConditions(filter) && branches.every((branch) => hasListOrderIndex(filter, branch));
    const rows = isPlain ? await readPlain(db, plainPages, plan) : await readNarrowed(db, plan, total);
    return { total, rows };
  };
}

/**
 * Returns true if the index for search queries contains the sort column, so that one read returns the page and the
 * total.
 */
function isAnsweredByFilterIndex({ condition, column, branches }: PhotoListFilter): boolean {
  return condition !== undefined && isInSearchFilterIndex(column) && branches.length > 0;
}

async function readFound(db: Deps['db'], filter: PhotoListFilter, window: RowWindow): Promise<FoundPage> {
  const found = await buildPhotoPageWithTotal(db.slow(boundedReadOptions), db, { filter, window }).execute();
  return { total: found[0]!.total, rows: found.filter(({ id }) => id !== null) as PhotoItemRow[] };
}

type NumberedPlan = PageQueryPlan & { window: RowWindow; skipped: number; atMost: number };

/**
 * Plans how a page is read. A page in the second half is read from the end, because that skips fewer rows. Merging an
 * entry costs several times as much as skipping one. At most all rows of the other branches come before the page. The
 * remaining rows before the page are in the first branch, and are skipped there before the merge.
 */
function planPage(filter: PhotoListFilter, { limit, offset }: RowWindow, counts: number[]): NumberedPlan {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const isFromEnd = offset > total / 2;
  const backwards = filter.order === 'asc' ? 'desc' : 'asc';
  const length = Math.min(limit, total - offset);
  const passed = isFromEnd ? total - offset - length : offset;
  const merged = Math.min(passed, total - counts[0]!);
  const window = { limit: isFromEnd ? length : limit, offset: merged };
  return {
    ...{ filter, window, skipped: passed - merged, atMost: merged + window.limit },
    ...{ order: isFromEnd ? backwards : filter.order, strategy: 'walk' },
  };
}

async function readNarrowed(db: Deps['db'], plan: NumberedPlan, total: number): Promise<PhotoItemRow[]> {
  const strategy = chooseStrategy(plan.filter, total, plan.skipped + plan.atMost);
  const query = buildPhotoPageQuery(chooseConnection(db, plan.filter), db, { ...plan, strategy });
  return (await query.execute()) as PhotoItemRow[];
}

/**
 * Chooses how the page is found. A fetch reads every match, at about a microsecond per row in memory and much more on
 * disk. A walk visits index entries until the page is full. Walking the whole index of a million photos takes a tenth
 * of a second.
 */
function chooseStrategy(
  { tag, keyword, condition }: PhotoListFilter,
  matches: number,
  atMost: number,
): PhotoPageStrategy {
  if (condition) return matches <= 4 * maxFetched || atMost * maxWalkedFraction > matches ? 'fetch' : 'walk';
  const isSearch = tag !== undefined || keyword !== undefined;
  return isSearch && matches <= maxFetched ? 'fetch' : 'walk';
}

/** Reads a page of an unfiltered list. Lists with the same sort order and scope share a prepared statement. */
async function readPlain(
  db: Deps['db'],
  prepared: LRUCache<string, PreparedRead<PhotoItemRow>>,
  plan: NumberedPlan,
): Promise<PhotoItemRow[]> {
  const { filter, window, order, skipped } = plan;
  const owners = filter.branches.map(({ userId }, place) => [`owner${place}`, userId ?? 0]);
  const atMost = isFirstPage(plan) ? plan.atMost : 2 ** Math.ceil(Math.log2(plan.atMost));
  const shape = JSON.stringify([
    ...[filter.column, filter.order, order, window.limit, atMost, isFirstPage(plan)],
    ...[filter.showsDisabled, filter.reactionViewerId !== 0],
    ...filter.branches.map(({ visibility, userId }) => [visibility, userId !== undefined]),
  ]);
  const read = prepared.get(shape) ?? preparePlain(db, { ...plan, atMost });
  prepared.set(shape, read);
  return read({
    offset: skipped + window.offset,
    ...{ skipped, merged: window.offset, ...Object.fromEntries(owners) },
    ...{ viewer: filter.viewerId as number, reactionsOf: filter.reactionViewerId as number },
  });
}

function preparePlain(db: Deps['db'], plan: NumberedPlan): PreparedRead<PhotoItemRow> {
  const { filter, window } = plan;
  return prepareRead<PhotoItemRow>(db, (kysely, arg) =>
    buildPhotoPageQuery(kysely, db, {
      ...plan,
      filter: {
        ...filter,
        branches: filter.branches.map(({ visibility, userId }, index) => ({
          visibility,
          ...(userId !== undefined && { userId: arg<number>(`owner${index}`) }),
        })),
        viewerId: arg<number>('viewer'),
        reactionViewerId: filter.reactionViewerId === 0 ? 0 : arg<number>('reactionsOf'),
      },
      // Small numbers are literals, because PostgreSQL expects many rows if a limit or an offset is a parameter.
      window: {
        limit: sql.lit(window.limit),
        offset: isFirstPage(plan) ? sql.lit(0) : arg<number>('merged'),
      },
      skipped: isFirstPage(plan) ? sql.lit(0) : arg<number>('skipped'),
      atMost: sql.lit(plan.atMost),
    }),
  );
}

function isFirstPage({ window, skipped }: NumberedPlan): boolean {
  return window.offset + skipped === 0;
}
