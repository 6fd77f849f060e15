/** The photo list: filters, total, one page. Its cost does not grow with the library. */

import type { Deps } from '../../../deps.ts';
import { paginationOf, windowOf } from '../../../platform/http/pagination.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { signerFor } from '../../delivery/paths.ts';
import { type PhotoItemRow, presentItem } from '../present.ts';
import type { PhotoItem } from '../schema.ts';
import { findAround } from './around.ts';
import { createCountPhotos, sumOf } from './count.ts';
import { type ListRequest, readFilter } from './filter.ts';
import { isFoundAtOnce, readFound } from './found.ts';
import { createReadRows } from './rows.ts';

export interface PhotoPage {
  list: PhotoItem[];
  pagination: { page: number; limit: number; total: number; pages: number };
}

/** What it makes throws invalid, unauthenticated, albumNotFound or albumForbidden. */
export function createListPhotos(deps: Deps) {
  const countPhotos = createCountPhotos(deps);
  const readRows = createReadRows(deps);

  return async (viewer: Viewer | undefined, query: ListRequest): Promise<PhotoPage> => {
    const filter = await readFilter(deps, viewer, query);
    const window = windowOf(query);
    const signer = signerFor(deps, viewer);
    const present = (rows: PhotoItemRow[], total: number, page = query.page): PhotoPage => ({
      list: rows.map((row) => presentItem(row, signer)),
      pagination: paginationOf({ ...query, page }, total),
    });
    if (query.around === undefined && isFoundAtOnce(filter)) {
      const { rows, total } = await readFound(deps, filter, window);
      return present(rows, total);
    }
    const counts = await countPhotos(filter);
    const total = sumOf(counts);
    if (query.around !== undefined) {
      const { page, rows } = await findAround(deps, filter, query.around, window.limit);
      return present(rows, total, page);
    }
    return present(window.offset < total ? await readRows(filter, window, counts) : [], total);
  };
}
