/** The photo list: filters, total, one page. Its cost does not grow with the library. */

import type { Deps } from '../../../deps.ts';
import { paginationOf, windowOf } from '../../../platform/http/pagination.ts';
import { Written } from '../../../platform/http/serialization.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { signerFor } from '../../delivery/paths.ts';
import { presentItem } from '../present.ts';
import type { PhotoItem } from '../schema.ts';
import { findAround } from './around.ts';
import { createCountPhotos, isNarrowed } from './count.ts';
import { type ListFilter, type ListRequest, readFilter } from './filter.ts';
import { isFoundAtOnce, readFound } from './found.ts';
import { createItems } from './items.ts';
import { createReadRows } from './rows.ts';

export interface PhotoPage {
  list: PhotoItem[];
  pagination: { page: number; limit: number; total: number; pages: number };
}

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

  return async (viewer: Viewer | undefined, query: ListRequest): Promise<PhotoPage | Written> => {
    const filter = await readFilter(deps, viewer, query);
    if (query.around !== undefined || isNarrowed(filter)) return readPage(filter, viewer, query);
    const counts = await countPhotos(filter);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const window = windowOf(query);
    const brief = window.offset < total ? await rows.readBrief(filter, window, counts) : [];
    const signer = signerFor(deps, viewer);
    const list =
      (brief && items.write(brief, signer)) ??
      items.writeWhole(await rows.read(filter, window, counts), signer);
    return new Written(`{"list":[${list}],"pagination":${JSON.stringify(paginationOf(query, total))}}`);
  };
}

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
    const total = counts.reduce((sum, count) => sum + count, 0);
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
