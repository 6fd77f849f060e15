/** Saves a photo's new position in its album, and the album's cover. */
import type { QueryClient } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import { type PhotoList, type PhotoPage, pageSize, photoPageQuery } from '../photos/queries.ts';
import { findDestinationIndex, moveArrayItem, type PhotoMoveDestination } from './destination.ts';

/** Number of list pages that one move may load. */
const maxPages = 20;

/** The order was changed elsewhere: the photo or its neighbor is at another position than expected. */
export class OrderConflictError extends Error {}
export class MoveTooFarError extends Error {}

/** Positions in the list, from 1. */
export interface ListPositionRange {
  first: number;
  last: number;
}

/**
 * Saves a move. Loads the affected range first, so that changes made elsewhere are not undone. Returns
 * whether the range had changed elsewhere. Throws ApiError, OrderConflictError or MoveTooFarError.
 */
export async function saveOrder(
  client: QueryClient,
  {
    list,
    album,
    id,
    to,
    stretch,
  }: { list: PhotoList; album: number; id: number; to: PhotoMoveDestination; stretch: ListPositionRange },
): Promise<boolean> {
  const numbers = Array.from({ length: stretch.last - stretch.first + 1 }, (_, at) => stretch.first + at);
  if (numbers.length > maxPages) throw new MoveTooFarError();
  const pages = await Promise.all(
    numbers.map((page) =>
      callApi<PhotoPage>('GET', list.path, {
        query: { ...list.query, page, limit: pageSize },
        urgency: 'act',
      }),
    ),
  );
  const photos = pages.flatMap((page) => page.list);
  const from = photos.findIndex((photo) => photo.id === id);
  const at = findDestinationIndex(photos, from, to);
  if (from === -1 || at === -1) throw new OrderConflictError();
  const next = moveArrayItem(photos, from, at);
  if (from !== at) {
    const ids = next.slice(Math.min(from, at), Math.max(from, at) + 1).map((photo) => photo.id);
    await callApi('PUT', `/api/albums/${album}/order`, { body: { ids } });
  }
  let isOther = false;
  for (const [n, page] of pages.entries()) {
    const key = photoPageQuery(list, numbers[n]!).queryKey;
    const own = next.slice(n * pageSize, n * pageSize + page.list.length);
    isOther ||= client.getQueryData(key)?.list.some((photo, index) => photo.id !== own[index]?.id) ?? false;
    client.setQueryData(key, { ...page, list: own });
  }
  return isOther;
}

/** Sends the order of a range as the page shows it, while the page is being closed. */
export function saveOrderOnUnload(album: number, ids: number[]): Promise<void> {
  return callApi('PUT', `/api/albums/${album}/order`, { body: { ids }, urgency: 'act', isLast: true });
}

export async function setAlbumCover(album: number, id: number): Promise<void> {
  await callApi('PUT', `/api/albums/${album}`, { body: { cover_id: id } });
}
