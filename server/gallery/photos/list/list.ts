/** The photo list: filters, total, one page. Its cost does not grow with the library. */

import { LRUCache } from 'lru-cache';
import type { Deps } from '../../../deps.ts';
import { paginationOf, type Window, windowOf } from '../../../platform/http/pagination.ts';
import { Written } from '../../../platform/http/serialization.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { signerFor } from '../../delivery/paths.ts';
import type { Signer } from '../../delivery/signatures.ts';
import { presentItem } from '../present.ts';
import type { PhotoItem } from '../schema.ts';
import { findAround } from './around.ts';
import { createCountPhotos, isNarrowed, sumOf } from './count.ts';
import { type ListFilter, type ListRequest, readFilter } from './filter.ts';
import { isFoundAtOnce, readFound } from './found.ts';
import { createItems } from './items.ts';
import { createReadRows } from './rows.ts';

export interface PhotoPage {
  list: PhotoItem[];
  pagination: { page: number; limit: number; total: number; pages: number };
}

/** Lists whose last totals are remembered: as many as there are viewers and owners. */
const maxTotals = 2000;

/** What it makes throws invalid, unauthenticated, albumNotFound or albumForbidden. */
export function createListPhotos(deps: Deps) {
  const readPage = createReadPage(deps);
  return async (viewer: Viewer | undefined, query: ListRequest): Promise<PhotoPage> =>
    readPage(await readFilter(deps, viewer, query), viewer, query);
}

/** The same page for an answer: written at once where the database has to be asked for numbers alone. */
export function createWritePhotos(deps: Deps) {
  const readPage = createReadPage(deps);
  const countPhotos = createCountPhotos(deps);
  const rows = createReadRows(deps);
  const items = createItems();
  const last = new LRUCache<string, number[]>({ max: maxTotals });

  /** By the totals of last time: undefined where they are others now, or what the page shows is not all kept. */
  async function writeByLast(filter: ListFilter, window: Window, signer: Signer | undefined) {
    const counts = last.get(keyOf(filter));
    if (!counts || window.offset >= sumOf(counts)) return undefined;
    const brief = await rows.readBrief(filter, window, counts);
    if (!brief || brief.length === 0) return undefined;
    const list = items.write(brief, signer);
    return list === undefined ? undefined : { list, total: sumOf(counts) };
  }

  async function writeAnew(filter: ListFilter, window: Window, signer: Signer | undefined) {
    const counts = await countPhotos(filter);
    last.set(keyOf(filter), counts);
    const whole = window.offset < sumOf(counts) ? await rows.read(filter, window, counts) : [];
    return { list: items.writeWhole(whole, signer), total: sumOf(counts) };
  }

  return async (viewer: Viewer | undefined, query: ListRequest): Promise<PhotoPage | Written> => {
    const filter = await readFilter(deps, viewer, query);
    if (query.around !== undefined || isNarrowed(filter)) return readPage(filter, viewer, query);
    const signer = signerFor(deps, viewer);
    const window = windowOf(query);
    const { list, total } =
      (await writeByLast(filter, window, signer)) ?? (await writeAnew(filter, window, signer));
    const pagination = JSON.stringify(paginationOf(query, total));
    return new Written(['{"list":[', ...list, `],"pagination":${pagination}}`]);
  };
}

const keyOf = ({ branches }: ListFilter) =>
  branches.map(({ userId, visibility }) => `${userId} ${visibility}`).join();

function createReadPage(deps: Deps) {
  const countPhotos = createCountPhotos(deps);
  const { read } = createReadRows(deps);

  return async (filter: ListFilter, viewer: Viewer | undefined, query: ListRequest): Promise<PhotoPage> => {
    const signer = signerFor(deps, viewer);
    const window = windowOf(query);
    if (query.around === undefined && isFoundAtOnce(filter)) {
      const { rows, total } = await readFound(deps, filter, window);
      return {
        list: rows.map((row) => presentItem(row, signer)),
        pagination: paginationOf(query, total),
      };
    }
    const counts = await countPhotos(filter);
    const total = sumOf(counts);
    if (query.around !== undefined) {
      const { page, rows } = await findAround(deps, filter, query.around, window.limit);
      return {
        list: rows.map((row) => presentItem(row, signer)),
        pagination: paginationOf({ ...query, page }, total),
      };
    }
    const rows = window.offset < total ? await read(filter, window, counts) : [];
    return {
      list: rows.map((row) => presentItem(row, signer)),
      pagination: paginationOf(query, total),
    };
  };
}
