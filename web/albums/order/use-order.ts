/** The order of an album: moves are shown at once, and kept when the hand rests. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { t } from '../../messages/messages.ts';
import { cachedPages, type PhotoList, type PhotoPage, pageOf, pageSize } from '../../photos/queries.ts';
import { showToast } from '../../ui/toast.tsx';
import { textOf } from '../../ui/trouble.tsx';
import { type Destination, moved, placeFor } from './places.ts';
import { keepMove, MovedElsewhere, type Stretch, TooFar } from './queries.ts';

/** Several steps of one photo are one move. */
const restMs = 700;

interface Waiting {
  id: number;
  to: Destination;
  stretch: Stretch;
}

export interface Order {
  move(id: number, to: Destination): void;
  /** The photo at so many places from this one; undefined where it is not known, or none. */
  neighbour(id: number, step: -1 | 1): number | undefined;
}

export function useOrder(list: PhotoList, album: number): Order {
  const client = useQueryClient();
  return useMemo(() => createOrder(client, list, album), [client, list, album]);
}

function createOrder(client: QueryClient, list: PhotoList, album: number): Order {
  let waiting: Waiting | undefined;
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
    last = last.then(() => keep(client, { list, album, ...move }));
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
      const { first, last: end } = waiting?.stretch ?? touched;
      waiting = {
        ...{ id, to },
        stretch: { first: Math.min(first, touched.first), last: Math.max(end, touched.last) },
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
  };
}

function stretchOf(one: number, other: number): Stretch {
  const pageAt = (place: number) => Math.floor(place / pageSize) + 1;
  return { first: pageAt(Math.min(one, other)), last: pageAt(Math.max(one, other)) };
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
