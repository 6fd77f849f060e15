/** Queries of photos: pages of a list, months of a list, single photos. */
import {
  notifyManager,
  type Query,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError, callApi } from '../api/client.ts';
import type {
  Album,
  PageData,
  PagedResponse,
  Photo,
  PhotoItem,
  PhotoListQuery,
  Timeline,
} from '../api/types.ts';
import { preloadFailureMessages, showFailure } from '../ui/show-failure.ts';

export type PhotoPage = PagedResponse<PhotoItem>;

/** A list of photos: its API path, filters and order. Two lists with equal content share their cache. */
export interface PhotoList {
  path: string;
  query: Partial<Omit<PhotoListQuery, 'page' | 'limit' | 'around'>>;
}

/** Returns the list of all photos that match the filters, by capture time. */
export function createGalleryPhotoList(filters: PhotoList['query']): PhotoList {
  return { path: '/api/photos', query: { ...filters, sort: 'taken_time', order: 'desc' } };
}

export const homePhotoList = createGalleryPhotoList({});

/** Returns an album's list: the owner's order for an ordinary album, by capture time for a smart album. */
export function createAlbumPhotoList({ id, is_smart }: Pick<Album, 'id' | 'is_smart'>): PhotoList {
  return is_smart
    ? createGalleryPhotoList({ album_id: id })
    : { path: `/api/albums/${id}/photos`, query: {} };
}

/** Returns the id of the ordinary album whose photos the list contains, or undefined for other lists. */
export function findAlbumOfList({ path }: PhotoList): number | undefined {
  const [, id] = /^\/api\/albums\/(\d+)\/photos$/.exec(path) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** Photos on each page, the API's maximum. */
export const pageSize = 100;

const listKey = (list: PhotoList) => ['photos', 'list', list] as const;

/** Returns whether the list is ordered by month, newest first. */
export function isOrderedByMonth({ path, query }: PhotoList): boolean {
  const { sort = 'create_time', order = 'desc' } = query;
  return path === '/api/photos' && order === 'desc' && (sort === 'taken_time' || sort === 'create_time');
}

export const trashList: PhotoList = { path: '/api/trash', query: {} };

export function isTrash({ path }: PhotoList): boolean {
  return path === trashList.path;
}

/** Returns whether the API can find the page of a photo in the list. */
export function canLocatePhotos(list: PhotoList): boolean {
  return list.path !== '/api/feed' && !isTrash(list);
}

export const photoMonthsQuery = (list: PhotoList) =>
  queryOptions({
    queryKey: [...listKey(list), 'months'],
    queryFn: ({ signal }) => fetchMonths(list, signal),
  });

async function fetchMonths(list: PhotoList, signal?: AbortSignal): Promise<Timeline['list']> {
  const { sort: by, order: _, ...filters } = list.query;
  const timeline = await callApi<Timeline>('GET', '/api/timeline', { query: { ...filters, by }, signal });
  return timeline.list;
}

export function countPhotosInMonths(months: Timeline['list']): number {
  return months.reduce((sum, { count }) => sum + count, 0);
}

/** Loads a page of a list; `page` starts at 1. */
export const photoPageQuery = (list: PhotoList, page: number) =>
  queryOptions({
    queryKey: [...listKey(list), 'page', page],
    queryFn: ({ signal }) => fetchPage(list, page, signal),
  });

function fetchPage(list: PhotoList, page: number, signal?: AbortSignal): Promise<PhotoPage> {
  return callApi<PhotoPage>('GET', list.path, { query: { ...list.query, page, limit: pageSize }, signal });
}

/** Finds and caches the page that holds a photo. `place` is the photo's last known index. */
export const pageAroundPhotoQuery = (client: QueryClient, list: PhotoList, id: number, place = 0) =>
  queryOptions({
    queryKey: [...listKey(list), 'around', id],
    queryFn: async ({ signal }) => {
      const fetchAt = async (at: { around: number } | { page: number }) => {
        const query = { ...list.query, ...at, limit: pageSize };
        const found = await callApi<PhotoPage>('GET', list.path, { query, signal });
        cachePage(client, list, found);
        return found;
      };
      if (canLocatePhotos(list)) return (await fetchAt({ around: id })).pagination.page;
      // The API cannot locate a photo in the feed and the trash: try the photo's last page, the page after
      // that and the first.
      const last = Math.floor(place / pageSize) + 1;
      for (const page of new Set([last, last + 1, 1])) {
        const found = await fetchAt({ page });
        if (found.list.some((photo) => photo.id === id)) return page;
      }
      throw new ApiError(404, 0, '');
    },
  });

function cachePage(client: QueryClient, list: PhotoList, page: PhotoPage): void {
  client.setQueryData(photoPageQuery(list, page.pagination.page).queryKey, page);
}

/** Returns all cached pages of a list. */
export function readCachedPhotoPages(client: QueryClient, list: PhotoList): PhotoPage[] {
  const found = client.getQueriesData<PhotoPage>({ queryKey: [...listKey(list), 'page'] });
  return found.flatMap(([, page]) => page ?? []);
}

/** Loads a photo with all details, which counts a view. A photo in the trash has another address. */
export const photoQuery = (id: number, list?: PhotoList) =>
  queryOptions({
    queryKey: ['photos', 'one', id],
    queryFn: ({ signal }) => {
      const path = list && isTrash(list) ? list.path : '/api/photos';
      return callApi<Photo>('GET', `${path}/${id}`, { signal });
    },
  });

/** Caches the photos that the HTML document embeds. */
export function hydratePhotos(client: QueryClient, { album, wall, photo }: PageData): void {
  // The embedded photo is cached as stale, so that the details are requested and the view is counted.
  if (photo) client.setQueryData(photoQuery(photo.id).queryKey, photo, { updatedAt: 1 });
  if (album) client.setQueryData(['albums', 'one', album.id], album);
  if (!wall) return;
  const list = album ? createAlbumPhotoList(album) : homePhotoList;
  client.setQueryData(photoMonthsQuery(list).queryKey, wall.months);
  cachePage(client, list, wall.page);
}

type Reaction = 'like' | 'favorite';

export const reactionKey = ['reaction'];

export interface ReactionChange {
  id: number;
  reaction: Reaction;
  isSet: boolean;
}

/** Sets or removes a like or favorite. The request names the wanted state, so it can be retried. */
export function useReaction() {
  const client = useQueryClient();
  // Without a connection, the script of the messages can no longer be loaded.
  useEffect(preloadFailureMessages, []);
  const mutation = useMutation({
    mutationKey: reactionKey,
    scope: { id: 'reactions' },
    mutationFn: ({ id, reaction, isSet }: ReactionChange) =>
      callApi<unknown>('POST', `/api/photos/${id}/${reaction}`, {
        body: reaction === 'like' ? { liked: isSet } : { favorited: isSet },
      }),
    onMutate: (given) => patchCachedPhoto(client, given.id, createReactionPatch(given)),
    onError: (error, given) => {
      patchCachedPhoto(client, given.id, createReactionPatch({ ...given, isSet: !given.isSet }));
      // The photo was deleted or hidden elsewhere; the reload makes the page say so.
      if (isMissing(error)) return void client.invalidateQueries(photoQuery(given.id));
      showFailure(error, () => mutation.mutate(given));
    },
    // Lists that filter by likes or favorites are reloaded on the next visit; the visible list stays as it
    // is.
    onSuccess: () => client.invalidateQueries({ predicate: isReactionFilter, refetchType: 'none' }),
  });
  return mutation;
}

function isMissing(error: Error): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 403);
}

function isReactionFilter({ queryKey: [, kind, list] }: { queryKey: readonly unknown[] }): boolean {
  return kind === 'list' && /is:(liked|favorite)/i.test((list as PhotoList).query.q ?? '');
}

/** Fields that list items and photo details share. */
export type SharedPhotoFields = Pick<PhotoItem, keyof PhotoItem & keyof Photo>;

export function createReactionPatch({ reaction, isSet }: Omit<ReactionChange, 'id'>) {
  return <Shown extends SharedPhotoFields>(photo: Shown): Shown => {
    const step = isSet ? 1 : -1;
    if (reaction === 'like') {
      return photo.is_liked === isSet ? photo : { ...photo, is_liked: isSet, likes: photo.likes + step };
    }
    if (photo.is_favorited === isSet) return photo;
    return { ...photo, is_favorited: isSet, favorites: photo.favorites + step };
  };
}

/** Changes a photo in all cached lists and in its cached details. */
export function patchCachedPhoto(
  client: QueryClient,
  id: number,
  patch: <Shown extends SharedPhotoFields>(photo: Shown) => Shown,
): void {
  client.setQueryData(photoQuery(id).queryKey, (photo) => photo && patch(photo));
  client.setQueriesData<PhotoPage>({ queryKey: ['photos', 'list'], predicate: isPageKey }, (page) => {
    if (!page?.list.some((photo) => photo.id === id)) return page;
    return { ...page, list: page.list.map((photo) => (photo.id === id ? patch(photo) : photo)) };
  });
}

function isPageKey({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey[3] === 'page';
}

/**
 * Reloads the visible pages of a list after its number or order of photos changed; other lists wait for a
 * visit. All responses replace the cache in one step, so that months and photos always agree.
 */
export async function refreshPhotoList(client: QueryClient, list: PhotoList): Promise<void> {
  await client.invalidateQueries({ queryKey: ['photos', 'list'], refetchType: 'none' });
  // A wall disables its queries during scrolling, so React Query does not count displayed pages as "active".
  const isObserved = (query: Query) => query.getObserversCount() > 0;
  client.removeQueries({ queryKey: listKey(list), predicate: (query) => !isObserved(query) });
  const all = client.getQueryCache().findAll({ queryKey: listKey(list), predicate: isObserved });
  const shown = all.filter((query) => query.isActive() || query.state.data !== undefined);
  const asked = shown.map((query) =>
    query.queryKey[3] === 'months' ? fetchMonths(list) : fetchPage(list, Number(query.queryKey[4])),
  );
  const answers = await Promise.all(asked);
  notifyManager.batch(() => {
    for (const [at, { queryKey }] of shown.entries()) client.setQueryData(queryKey, answers[at]);
  });
}
