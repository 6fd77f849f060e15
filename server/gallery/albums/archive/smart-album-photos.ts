/**
 * Finds the photos of a smart album for an archive, newest first, in pages. Each page is a read with a time limit.
 */
import type { Deps } from '../../../deps.ts';
import { boundedReadOptions } from '../../../platform/db/dialect.ts';
import { yieldRowPages } from '../../../platform/db/pages.ts';
import type { Viewer } from '../../identity/viewer.ts';
import {
  type AlbumToList,
  createAlbumFilter,
  type PhotoListBranch,
  type PhotoListFilter,
} from '../../photos/list/filter.ts';
import { applyPhotoListFilter, type PhotoPageStrategy, selectBranchPhotos } from '../../photos/list/query.ts';

const pageSize = 200;
/**
 * Maximum number of a rule's matches that are fetched and sorted for each page. If a rule matches more photos, a
 * walk through the newest photos soon fills a page.
 */
const maxSorted = 5000;

interface MatchedPhoto {
  id: number;
  create_time: number;
}

/**
 * Yields pages of photos that match the rule of `album`, as the caller read the rule. Later changes of the rule
 * have no effect. Throws QueryTooSlow.
 */
export async function* findSmartAlbumPhotos(
  deps: Deps,
  viewer: Viewer | undefined,
  album: AlbumToList,
): AsyncGenerator<MatchedPhoto[]> {
  const filter = createAlbumFilter(deps, viewer, album);
  const ways = await Promise.all(filter.branches.map((branch) => chooseStrategy(deps, filter, branch)));
  const find = async (after: MatchedPhoto | undefined) => {
    const found = [];
    for (const [place, branch] of filter.branches.entries())
      found.push(...(await findPage(deps, filter, branch, ways[place]!, after)));
    // Each branch of the filter has a page of its own. Beyond the end of the shorter page, photos may be missing,
    // so the merged result is cut to one page.
    return found.sort(newestFirst).slice(0, pageSize);
  };
  yield* yieldRowPages(undefined as MatchedPhoto | undefined, pageSize, (photo: MatchedPhoto) => photo, find);
}

/**
 * Runs the rule of a smart album for one page. Throws QueryTooSlow, while the server can still respond with an
 * error.
 */
export async function testSmartAlbumRule(
  deps: Deps,
  viewer: Viewer | undefined,
  album: AlbumToList,
): Promise<void> {
  await findSmartAlbumPhotos(deps, viewer, album).next();
}

async function chooseStrategy(
  { db }: Deps,
  filter: PhotoListFilter,
  branch: PhotoListBranch,
): Promise<PhotoPageStrategy> {
  const { n } = await selectBranchPhotos(db.slow(boundedReadOptions), db, filter, branch)
    .select((count) => count.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n <= maxSorted ? 'fetch' : 'walk';
}

function findPage(
  { db }: Deps,
  filter: PhotoListFilter,
  branch: PhotoListBranch,
  strategy: PhotoPageStrategy,
  after: MatchedPhoto | undefined,
): Promise<MatchedPhoto[]> {
  // Ask for the photos before `after` in ascending order, which are those after it in descending order.
  const rest: PhotoListFilter = after
    ? { ...filter, order: 'asc', anchor: { id: after.id, value: after.create_time, side: 'before' } }
    : filter;
  return applyPhotoListFilter(db.slow(boundedReadOptions).selectFrom('photos'), db, rest, branch, strategy)
    .select(['photos.id', 'photos.create_time'])
    .orderBy('photos.create_time', 'desc')
    .orderBy('photos.id', 'desc')
    .limit(pageSize)
    .execute();
}

function newestFirst(one: MatchedPhoto, other: MatchedPhoto): number {
  return other.create_time - one.create_time || other.id - one.id;
}
