/** A photo's new place in its album, and the way out of it. */
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { type PhotoList, type PhotoPage, pageOf, pageSize } from '../photos/queries.ts';
import { type Destination, moved, placeFor } from './places.ts';

/** So many pages of a list are worth one move. */
const mostPages = 20;

/** The album is not as it was thought to be: the photo, or the one beside its place, is elsewhere. */
export class MovedElsewhere extends Error {}
export class TooFar extends Error {}

/** Of the list, from 1. */
export interface Stretch {
  first: number;
  last: number;
}

/**
 * Asks anew for the stretch of the list that the move touches, so that nothing is undone that was ordered elsewhere
 * meanwhile. Returns whether something was. Throws ApiError, MovedElsewhere, or TooFar.
 */
export async function keepMove(
  client: QueryClient,
  {
    list,
    album,
    id,
    to,
    stretch,
  }: { list: PhotoList; album: number; id: number; to: Destination; stretch: Stretch },
): Promise<boolean> {
  const numbers = Array.from({ length: stretch.last - stretch.first + 1 }, (_, at) => stretch.first + at);
  if (numbers.length > mostPages) throw new TooFar();
  const pages = await Promise.all(
    numbers.map((page) =>
      call<PhotoPage>('GET', list.path, { query: { ...list.query, page, limit: pageSize }, urgency: 'act' }),
    ),
  );
  const photos = pages.flatMap((page) => page.list);
  const from = photos.findIndex((photo) => photo.id === id);
  const at = placeFor(photos, from, to);
  if (from === -1 || at === -1) throw new MovedElsewhere();
  const next = moved(photos, from, at);
  if (from !== at) {
    const ids = next.slice(Math.min(from, at), Math.max(from, at) + 1).map((photo) => photo.id);
    await call('PUT', `/api/albums/${album}/order`, { body: { ids } });
  }
  let isOther = false;
  for (const [n, page] of pages.entries()) {
    const key = pageOf(list, numbers[n]!).queryKey;
    const own = next.slice(n * pageSize, n * pageSize + page.list.length);
    isOther ||= client.getQueryData(key)?.list.some((photo, index) => photo.id !== own[index]?.id) ?? false;
    client.setQueryData(key, { ...page, list: own });
  }
  return isOther;
}

/** What stands between two places, in the order in which it is shown, as the page goes. */
export function keepLast(album: number, ids: number[]): Promise<void> {
  return call('PUT', `/api/albums/${album}/order`, { body: { ids }, urgency: 'act', isLast: true });
}

/** It stays in the gallery, without an album. Throws ApiError. */
export async function takeOut(album: number, id: number): Promise<void> {
  const { failed } = await call<{ failed: unknown[] }>('DELETE', `/api/albums/${album}/photos`, {
    body: { ids: [id] },
  });
  if (failed.length > 0) throw new MovedElsewhere();
}

export async function putBack(album: number, id: number): Promise<void> {
  await call('POST', `/api/albums/${album}/photos`, { body: { ids: [id] } });
}

export async function chooseCover(album: number, id: number): Promise<void> {
  await call('PUT', `/api/albums/${album}`, { body: { cover_id: id } });
}
