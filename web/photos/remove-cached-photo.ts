/** Removes a photo from a cached list before the list is reloaded. */
import type { QueryClient } from '@tanstack/react-query';
import type { Timeline } from '../api/types.ts';
import {
  countPhotosInMonths,
  type PhotoList,
  pageSize,
  photoMonthsQuery,
  photoPageQuery,
  readCachedPhotoPages,
} from './queries.ts';

/** Returns the photo's index and the new total, or undefined if no cached page holds the photo. */
export function removeCachedPhoto(client: QueryClient, list: PhotoList, id: number) {
  const pages = readCachedPhotoPages(client, list).toSorted((a, b) => a.pagination.page - b.pagination.page);
  const at = pages.findIndex((page) => page.list.some((photo) => photo.id === id));
  if (at === -1) return undefined;
  const found = pages[at]!;
  const within = found.list.findIndex((photo) => photo.id === id);
  const index = (found.pagination.page - 1) * pageSize + within;
  const total = found.pagination.total - 1;
  for (const [n, page] of pages.entries()) {
    const { page: number } = page.pagination;
    const next = pages[n + 1]?.pagination.page === number + 1 ? pages[n + 1]!.list.slice(0, 1) : [];
    const left = n === at ? page.list.toSpliced(within, 1) : page.list.slice(1);
    const photos = n < at ? page.list : [...left, ...next];
    const pagination = { ...page.pagination, total };
    client.setQueryData(photoPageQuery(list, number).queryKey, { pagination, list: photos });
  }
  const { width, height } = found.list[within]!;
  // A late response may have restored the photo in its page only; its month is reduced only if still too
  // large.
  client.setQueryData(photoMonthsQuery(list).queryKey, (months) =>
    months && countPhotosInMonths(months) > total ? removeFromMonths(months, index, width / height) : months,
  );
  return { index, total };
}

/** Marks pages with missing photos at their end as stale, so that they are reloaded on scroll. */
export function refetchShortPages(client: QueryClient, list: PhotoList): void {
  for (const { list: photos, pagination } of readCachedPhotoPages(client, list)) {
    const { page, total } = pagination;
    if (photos.length >= Math.min(pageSize, total - (page - 1) * pageSize)) continue;
    void client.invalidateQueries({ queryKey: photoPageQuery(list, page).queryKey, refetchType: 'none' });
  }
}

function removeFromMonths(months: Timeline['list'], index: number, ratio: number): Timeline['list'] {
  let before = 0;
  return months.flatMap((month) => {
    const isIn = index >= before && index < before + month.count;
    before += month.count;
    if (!isIn) return month;
    return month.count === 1 ? [] : { ...month, count: month.count - 1, ratio: month.ratio - ratio };
  });
}
