/** The order of an album: moves are shown at once, and kept when the hand rests. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { t } from '../messages/messages.ts';
import { cachedPages, type PhotoList, type PhotoPage, pageOf, pageSize } from '../photos/queries.ts';
import { showToast } from '../ui/toast.tsx';
import { textOf } from '../ui/trouble.tsx';
import { type Destination, moved, placeFor } from './places.ts';
import { keepLast, keepMove, MovedElsewhere, type Stretch, TooFar } from './queries.ts';

/** Several steps of one photo are one move. */
const restMs = 700;
/** In bytes less than what a browser sends for a page that is gone (64 KB). */
const mostIds = 1000;

interface Waiting {
  id: number;
  to: Destination;
  stretch: Stretch;
  /** Of the photos that the move touches, from 0. */
  places: Stretch;
}

export interface Order {
  move(id: number, to: Destination): void;
  /** The photo at so many places from this one; undefined where it is not known, or none. */
  neighbour(id: number, step: -1 | 1): number | undefined;
  /** From 0; undefined where it is not known. */
  placeOf(id: number): number | undefined;
  /** The page goes: what waits is kept as it is shown. */
  leave(): void;
}

export function useOrder(list: PhotoList, album: number): Order {
  const client = useQueryClient();
  const order = useMemo(() => createOrder(client, list, album), [client, list, album]);
  useEffect(() => {
    window.addEventListener('pagehide', order.leave);
    return () => window.removeEventListener('pagehide', order.leave);
  }, [order]);
  return order;
}

function createOrder(client: QueryClient, list: PhotoList, album: number): Order {
  let waiting: Waiting | undefined;
  const underWay = new Set<Waiting>();
  let timer = 0;
  let last: Promise<void> = Promise.resolve();

  const photosNow = () => {
    const pages = cachedPages(client, list).toSorted((a, b) => a.pagination.page - b.pagination.page);
    const at = new Map<number, number>();
    for (const { list: photos, pagination } of pages) {
      for (const [n, { id }] of photos.entries()) at.set(id, (pagination.page - 1) * pageSize + n);
    }
    return { at, total: pages[0]?.pagination.total ?? 0 };
  };

  function send(): void {
    clearTimeout(timer);
    const move = waiting;
    waiting = undefined;
    if (!move) return;
    // One after the other: each counts on the places of the one before.
    underWay.add(move);
    last = last.then(() => keep(client, { list, album, ...move })).finally(() => underWay.delete(move));
  }

  return {
    move(id, to) {
      if (waiting && waiting.id !== id) send();
      const { at, total } = photosNow();
      const from = at.get(id);
      if (from === undefined) return;
      const beside =
        to === 'start' ? 0 : to === 'end' ? total - 1 : at.get('before' in to ? to.before : to.after);
      if (beside === undefined) return;
      const touched = stretchOf(from, beside);
      const places = spanOf(from, beside);
      waiting = {
        ...{ id, to },
        stretch: both(waiting?.stretch ?? touched, touched),
        places: both(waiting?.places ?? places, places),
      };
      showMoved(client, list, touched, id, to);
      clearTimeout(timer);
      timer = window.setTimeout(send, restMs);
    },
    neighbour(id, step) {
      const { at } = photosNow();
      const wanted = (at.get(id) ?? Number.NaN) + step;
      return [...at].find(([, place]) => place === wanted)?.[0];
    },
    placeOf: (id) => photosNow().at.get(id),
    leave() {
      clearTimeout(timer);
      // What is under way asks first what the album is now, and has no time left for it.
      for (const { places } of [...underWay, ...(waiting ? [waiting] : [])]) {
        const ids = idsAt(photosNow().at, places);
        if (ids) void keepLast(album, ids).catch(() => {});
      }
      waiting = undefined;
    },
  };
}

function spanOf(one: number, other: number): Stretch {
  return { first: Math.min(one, other), last: Math.max(one, other) };
}

function both(one: Stretch, other: Stretch): Stretch {
  return { first: Math.min(one.first, other.first), last: Math.max(one.last, other.last) };
}

/** Undefined where not all of them are known, or they are more than one call may name. */
function idsAt(at: Map<number, number>, { first, last }: Stretch): number[] | undefined {
  const ids = [...at]
    .filter(([, place]) => place >= first && place <= last)
    .toSorted(([, one], [, other]) => one - other)
    .map(([id]) => id);
  return ids.length === last - first + 1 && ids.length <= mostIds ? ids : undefined;
}

function stretchOf(one: number, other: number): Stretch {
  const { first, last } = spanOf(one, other);
  const pageAt = (place: number) => Math.floor(place / pageSize) + 1;
  return { first: pageAt(first), last: pageAt(last) };
}

/** At once where all of the stretch is here; else when it is kept. */
function showMoved(
  client: QueryClient,
  list: PhotoList,
  { first, last }: Stretch,
  id: number,
  to: Destination,
): void {
  const pages: PhotoPage[] = [];
  for (let page = first; page <= last; page++) {
    const here = client.getQueryData(pageOf(list, page).queryKey);
    if (!here) return;
    pages.push(here);
  }
  const photos = pages.flatMap((page) => page.list);
  const from = photos.findIndex((photo) => photo.id === id);
  const at = placeFor(photos, from, to);
  if (from === -1 || at === -1) return;
  const next = moved(photos, from, at);
  let start = 0;
  for (const page of pages) {
    const own = next.slice(start, start + page.list.length);
    start += page.list.length;
    client.setQueryData(pageOf(list, page.pagination.page).queryKey, { ...page, list: own });
  }
}

async function keep(client: QueryClient, move: Waiting & { list: PhotoList; album: number }): Promise<void> {
  try {
    const isOther = await keepMove(client, move);
    if (isOther) showToast({ text: t('orderElsewhere') });
  } catch (error) {
    showToast({ text: orderProblem(error as Error), isAlarm: true });
    void client.invalidateQueries({ queryKey: ['photos', 'list', move.list] });
    void client.invalidateQueries({ queryKey: ['albums', 'one', move.album] });
  }
}

export function orderProblem(error: Error): string {
  if (error instanceof MovedElsewhere) return t('orderGone');
  if (error instanceof TooFar) return t('orderFar');
  return textOf(error);
}
