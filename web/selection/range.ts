/** Collects the photos between two positions of a list, and loads missing pages. */
import type { QueryClient } from '@tanstack/react-query';
import type { PhotoItem } from '../api/types.ts';
import { type PhotoList, pageSize, photoPageQuery } from '../photos/queries.ts';
import type { ListedPhoto } from '../photos/wall/selection-state.ts';

/** Limit of a selection: ten batches, and the maximum of a ZIP archive. */
export const maxSelected = 1000;

/** Returns the photos of a range, or undefined if the list changed meanwhile. */
export async function fetchPhotosBetween(
  client: QueryClient,
  list: PhotoList,
  ends: [ListedPhoto, ListedPhoto],
): Promise<PhotoItem[] | undefined> {
  const [from, to] = ends.map(({ index }) => index).sort((one, other) => one - other) as [number, number];
  const found = await fetchPhotoRange(client, list, from, to);
  const isInPlace = ({ index, photo }: ListedPhoto) => found?.[index - from]?.id === photo.id;
  return ends.every(isInPlace) ? found : undefined;
}

/**
 * Returns all photos from the first to the last index, or undefined if the loaded pages contradict each
 * other.
 */
export async function fetchPhotoRange(
  client: QueryClient,
  list: PhotoList,
  from: number,
  to: number,
): Promise<PhotoItem[] | undefined> {
  const first = Math.floor(from / pageSize);
  const last = Math.floor(to / pageSize);
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at + 1);
  const pages = await Promise.all(numbers.map((page) => client.ensureQueryData(photoPageQuery(list, page))));
  const photos = pages.flatMap((page) => page.list).slice(from - first * pageSize, to - first * pageSize + 1);
  const totals = new Set(pages.map(({ pagination }) => pagination.total));
  const isWhole =
    photos.length === to - from + 1 && new Set(photos.map(({ id }) => id)).size === photos.length;
  return isWhole && totals.size === 1 ? photos : undefined;
}
