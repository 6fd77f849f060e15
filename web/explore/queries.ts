/** Queries of the page "Explore": shared photos, albums, people and tags. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { Album, PagedResponse, PhotoItem, Tag, User } from '../api/types.ts';
import type { PhotoList } from '../photos/queries.ts';

/** Excludes photos that only their owner and admins can see. */
const sharedPhotos = '-is:private';

export const recentPhotoList: PhotoList = {
  path: '/api/photos',
  query: { q: sharedPhotos, sort: 'create_time', order: 'desc' },
};
export const likedPhotoList: PhotoList = {
  path: '/api/photos',
  query: { q: sharedPhotos, sort: 'likes', order: 'desc' },
};

const stripLength = 20;

/** Loads the first photos of a list. */
export const photoStripQuery = (list: PhotoList) =>
  queryOptions({
    queryKey: ['photos', 'list', list, 'strip'],
    queryFn: ({ signal }) =>
      callApi<PagedResponse<PhotoItem>>('GET', list.path, {
        query: { ...list.query, limit: stripLength },
        signal,
      }),
  });

/** Loads the albums that are public or for members, the last changed first. */
export const allAlbumsQuery = infiniteQueryOptions({
  queryKey: ['albums', 'all'],
  queryFn: ({ signal, pageParam: page }) =>
    callApi<PagedResponse<Album>>('GET', '/api/albums', {
      query: { sort: 'update_time', limit: 48, page },
      signal,
    }),
  initialPageParam: 1,
  getNextPageParam: findNextPage,
  select: ({ pages, pageParams }) => ({
    pageParams,
    pages: pages.map((page) => ({ ...page, list: page.list.filter(isShared) })),
  }),
});

const isShared = ({ effective_visibility }: Album) => effective_visibility !== 'private';

/** Loads the people of the gallery. */
export const peopleQuery = (keyword: string) =>
  infiniteQueryOptions({
    queryKey: ['people', 'all', keyword],
    queryFn: ({ signal, pageParam: page }) =>
      callApi<PagedResponse<User>>('GET', '/api/users', {
        query: { ...(keyword && { keyword }), limit: 48, page },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: findNextPage,
    placeholderData: keepPreviousData,
  });

/** Loads the most used tags. */
export const tagsQuery = infiniteQueryOptions({
  queryKey: ['photos', 'tags'],
  queryFn: ({ signal, pageParam: page }) =>
    callApi<PagedResponse<Tag>>('GET', '/api/tags', { query: { limit: 40, page }, signal }),
  initialPageParam: 1,
  getNextPageParam: findNextPage,
});

function findNextPage({ pagination: { page, pages } }: PagedResponse<unknown>): number | undefined {
  return page < pages ? page + 1 : undefined;
}
