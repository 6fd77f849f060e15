/** The order of an album: a move is shown at once, and saved after a pause. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { t } from '../messages/messages.ts';
import {
  type PhotoList,
  type PhotoPage,
  pageSize,
  photoPageQuery,
  readCachedPhotoPages,
} from '../photos/queries.ts';
import { describeError } from '../ui/error-notice.tsx';
import { showToast } from '../ui/toast.tsx';
import { findDestinationIndex, moveArrayItem, type PhotoMoveDestination } from './destination.ts';
import {
  type ListPositionRange,
  MoveTooFarError,
  OrderConflictError,
  saveOrder,
  saveOrderOnUnload,
} from './queries.ts';

/** Milliseconds without another step until a move is sent; several steps of one photo are one move. */
const sendDelayMs = 700;
/**
 * Photo ids in one call: their text stays below 64 KB, the browser's limit for a page that is being closed.
 */
const maxIds = 1000;

interface PendingMove {
  id: number;
  to: PhotoMoveDestination;
  stretch: ListPositionRange;
  /** Positions of the photos that the move touches, from 0. */
  places: ListPositionRange;
}

export interface AlbumOrder {
  move(id: number, to: PhotoMoveDestination): void;
  /**
   * Returns the id of the photo `step` positions away; undefined at the list's end or beyond the loaded
   * pages.
   */
  neighbor(id: number, step: -1 | 1): number | undefined;
  /** Returns the photo's position from 0, or undefined if the position is not known. */
  findIndex(id: number): number | undefined;
  /** Saves pending moves in the order shown, because the page is being closed. */
  leave(): void;
}

export function useAlbumOrder(list: PhotoList, album: number): AlbumOrder {
  const client = useQueryClient();
  const order = useMemo(() => createOrder(client, list, album), [client, list, album]);
  useEffect(() => {
    window.addEventListener('pagehide', order.leave);
    return () => window.removeEventListener('pagehide', order.leave);
  }, [order]);
  return order;
}

function createOrder(client: QueryClient, list: PhotoList, album: number): AlbumOrder {
  let waiting: PendingMove | undefined;
  const underWay = new Set<PendingMove>();
  let timer = 0;
  let last: Promise<void> = Promise.resolve();

  const readCachedPhotos = () => {
    const pages = readCachedPhotoPages(client, list).toSorted(
      (a, b) => a.pagination.page - b.pagination.page,
    );
    const at = new Map<number, number>();
    for (const { list: photos, pagination } of pages) {
      for (const [n, { id }] of photos.entries()) at.set(id, (pagination.page - 1) * pageSize + n);
    }
    return { at, total: pages[0]?.pagination.total ?? 0 };
  };

  function sendPending(): void {
    clearTimeout(timer);
    const move = waiting;
    waiting = undefined;
    if (!move) return;
    // Moves are sent one after the other, because each builds on the positions of the move before.
    underWay.add(move);
    last = last.then(() => saveMove(client, { list, album, ...move })).finally(() => underWay.delete(move));
  }

  return {
    move(id, to) {
      if (waiting && waiting.id !== id) sendPending();
      const { at, total } = readCachedPhotos();
      const from = at.get(id);
      if (from === undefined) return;
      const beside =
        to === 'start' ? 0 : to === 'end' ? total - 1 : at.get('before' in to ? to.before : to.after);
      if (beside === undefined) return;
      const touched = findPageRange(from, beside);
      const places = rangeBetween(from, beside);
      waiting = {
        ...{ id, to },
        stretch: mergeRanges(waiting?.stretch ?? touched, touched),
        places: mergeRanges(waiting?.places ?? places, places),
      };
      showMove(client, list, touched, id, to);
      clearTimeout(timer);
      timer = window.setTimeout(sendPending, sendDelayMs);
    },
    neighbor(id, step) {
      const { at } = readCachedPhotos();
      const wanted = (at.get(id) ?? Number.NaN) + step;
      return [...at].find(([, place]) => place === wanted)?.[0];
    },
    findIndex: (id) => readCachedPhotos().at.get(id),
    leave() {
      clearTimeout(timer);
      // A normal move would load the album's order first, and a closing page has no time for that.
      for (const { places } of [...underWay, ...(waiting ? [waiting] : [])]) {
        const ids = collectIds(readCachedPhotos().at, places);
        if (ids) void saveOrderOnUnload(album, ids).catch(() => {});
      }
      waiting = undefined;
    },
  };
}

function rangeBetween(one: number, other: number): ListPositionRange {
  return { first: Math.min(one, other), last: Math.max(one, other) };
}

function mergeRanges(one: ListPositionRange, other: ListPositionRange): ListPositionRange {
  return { first: Math.min(one.first, other.first), last: Math.max(one.last, other.last) };
}

/** Returns the ids of a range, or undefined if some are not loaded or one call cannot carry all of them. */
function collectIds(at: Map<number, number>, { first, last }: ListPositionRange): number[] | undefined {
  const ids = [...at]
    .filter(([, place]) => place >= first && place <= last)
    .toSorted(([, one], [, other]) => one - other)
    .map(([id]) => id);
  return ids.length === last - first + 1 && ids.length <= maxIds ? ids : undefined;
}

function findPageRange(one: number, other: number): ListPositionRange {
  const { first, last } = rangeBetween(one, other);
  const pageNumberAt = (place: number) => Math.floor(place / pageSize) + 1;
  return { first: pageNumberAt(first), last: pageNumberAt(last) };
}

/** Shows a move at once if the whole range is loaded; otherwise the move appears after it is saved. */
function showMove(
  client: QueryClient,
  list: PhotoList,
  { first, last }: ListPositionRange,
  id: number,
  to: PhotoMoveDestination,
): void {
  const pages: PhotoPage[] = [];
  for (let page = first; page <= last; page++) {
    const here = client.getQueryData(photoPageQuery(list, page).queryKey);
    if (!here) return;
    pages.push(here);
  }
  const photos = pages.flatMap((page) => page.list);
  const from = photos.findIndex((photo) => photo.id === id);
  const at = findDestinationIndex(photos, from, to);
  if (from === -1 || at === -1) return;
  const next = moveArrayItem(photos, from, at);
  let start = 0;
  for (const page of pages) {
    const own = next.slice(start, start + page.list.length);
    start += page.list.length;
    client.setQueryData(photoPageQuery(list, page.pagination.page).queryKey, { ...page, list: own });
  }
}

async function saveMove(
  client: QueryClient,
  move: PendingMove & { list: PhotoList; album: number },
): Promise<void> {
  try {
    const isOther = await saveOrder(client, move);
    if (isOther) showToast({ text: t('orderChangedElsewhere') });
  } catch (error) {
    showToast({ text: describeOrderError(error as Error), isError: true });
    void client.invalidateQueries({ queryKey: ['photos', 'list', move.list] });
    void client.invalidateQueries({ queryKey: ['albums', 'one', move.album] });
  }
}

export function describeOrderError(error: Error): string {
  if (error instanceof OrderConflictError) return t('orderPhotoGone');
  if (error instanceof MoveTooFarError) return t('orderTooFar');
  return describeError(error);
}
