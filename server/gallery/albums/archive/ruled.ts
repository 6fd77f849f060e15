/** What the rule of a smart album finds, for an archive: the newest first, in pages that are bounded reads. */
import type { Deps } from '../../../deps.ts';
import { bounded } from '../../../platform/db/dialect.ts';
import { pages } from '../../../platform/db/pages.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { type Branch, filterOfAlbum, type ListedAlbum, type ListFilter } from '../../photos/list/filter.ts';
import { foundIn, narrow, type Strategy } from '../../photos/list/query.ts';

const pageSize = 200;
/**
 * Up to this many matches are found and sorted for each page. If a rule matches more photos, a walk through the newest
 * photos soon fills a page.
 */
const maxSorted = 5000;

interface Found {
  id: number;
  create_time: number;
}

/** By the rule as it is in `album`, whatever becomes of it meanwhile. Throws QueryTooSlow. */
export async function* findRuled(
  deps: Deps,
  viewer: Viewer | undefined,
  album: ListedAlbum,
): AsyncGenerator<Found[]> {
  const filter = filterOfAlbum(deps, viewer, album);
  const ways = await Promise.all(filter.branches.map((branch) => chooseWay(deps, filter, branch)));
  const find = async (after: Found | undefined) => {
    const found = [];
    for (const [place, branch] of filter.branches.entries())
      found.push(...(await findPage(deps, filter, branch, ways[place]!, after)));
    // Behind a page's end, photos of the other branch may be missing.
    return found.sort(newestFirst).slice(0, pageSize);
  };
  yield* pages(undefined as Found | undefined, pageSize, (photo: Found) => photo, find);
}

/** Throws QueryTooSlow: where something can still be answered to that. */
export async function tryRule(deps: Deps, viewer: Viewer | undefined, album: ListedAlbum): Promise<void> {
  await findRuled(deps, viewer, album).next();
}

async function chooseWay({ db }: Deps, filter: ListFilter, branch: Branch): Promise<Strategy> {
  const { n } = await foundIn(db.slow(bounded), db, filter, branch)
    .select((count) => count.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n <= maxSorted ? 'fetch' : 'walk';
}

function findPage(
  { db }: Deps,
  filter: ListFilter,
  branch: Branch,
  strategy: Strategy,
  after: Found | undefined,
): Promise<Found[]> {
  // In the opposite order, what comes behind a photo stands before it.
  const rest: ListFilter = after
    ? { ...filter, order: 'asc', anchor: { id: after.id, value: after.create_time, side: 'before' } }
    : filter;
  return narrow(db.slow(bounded).selectFrom('photos'), db, rest, branch, strategy)
    .select(['photos.id', 'photos.create_time'])
    .orderBy('photos.create_time', 'desc')
    .orderBy('photos.id', 'desc')
    .limit(pageSize)
    .execute();
}

function newestFirst(one: Found, other: Found): number {
  return other.create_time - one.create_time || other.id - one.id;
}
