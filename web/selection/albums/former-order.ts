/** Puts photos back to the positions in their album that they had before they were removed. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createAlbumPhotoList,
  type PhotoList,
  type PhotoPage,
  pageSize,
  readCachedPhotoPages,
} from '../../photos/queries.ts';
import { fetchAlbumPageAround, fetchPhotoIdsToEnd, saveAlbumPhotoOrder } from './queries.ts';

/** The ids of an album's photos by position, from 0. Pages that were not loaded are missing. */
export type FormerAlbumOrder = ReadonlyMap<number, number>;

/** Reads the order of an album from its cached pages. The page of a single photo is loaded if necessary. */
export async function readFormerAlbumOrder(
  client: QueryClient,
  album: number,
  ids: number[],
): Promise<FormerAlbumOrder> {
  const list = createAlbumPhotoList({ id: album, is_smart: false });
  const cached = readCachedOrder(client, list);
  const [only, ...others] = ids;
  if (only === undefined || others.length > 0 || [...cached.values()].includes(only)) return cached;
  // The change is more important than its undo, so a failure is ignored.
  const page = await fetchAlbumPageAround(album, only).catch(() => undefined);
  return page ? orderOfPages([page]) : cached;
}

function readCachedOrder(client: QueryClient, list: PhotoList): FormerAlbumOrder {
  return orderOfPages(readCachedPhotoPages(client, list));
}

function orderOfPages(pages: PhotoPage[]): FormerAlbumOrder {
  return new Map(
    pages.flatMap(({ list: photos, pagination }) =>
      photos.map(({ id }, at) => [(pagination.page - 1) * pageSize + at, id] as const),
    ),
  );
}

/** Moves restored photos from the end of the album to their former positions. Throws ApiError. */
export async function restoreAlbumOrder(
  album: number,
  former: FormerAlbumOrder,
  ids: number[],
): Promise<void> {
  const restored = new Set(ids);
  const places = [...former.keys()].filter((at) => restored.has(former.get(at)!)).sort((a, b) => a - b);
  if (places.length === 0) return;
  const firstPage = Math.floor(Math.max(0, places[0]! - 1) / pageSize) + 1;
  const now = await fetchPhotoIdsToEnd(album, firstPage);
  if (!now) return;
  const next = now.filter((id) => !restored.has(id));
  for (const at of places) next.splice(findPosition(next, former, at), 0, former.get(at)!);
  const isMoved = (id: number | undefined, at: number) => id !== now[at];
  const [from, to] = [next.findIndex(isMoved), next.findLastIndex(isMoved)];
  if (next.length === now.length && from !== -1) await saveAlbumPhotoOrder(album, next.slice(from, to + 1));
}

/** Returns the index after the former previous photo, or before the former next one. */
function findPosition(ids: number[], former: FormerAlbumOrder, at: number): number {
  if (at === 0) return 0;
  const previous = ids.indexOf(former.get(at - 1) ?? 0);
  if (previous !== -1) return previous + 1;
  const next = ids.indexOf(former.get(at + 1) ?? 0);
  return next === -1 ? ids.length : next;
}
