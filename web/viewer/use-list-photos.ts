/** Finds a photo in its list, and loads the photos around it by index. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { PhotoItem } from '../api/types.ts';
import {
  type PhotoList,
  pageAroundPhotoQuery,
  pageSize,
  photoPageQuery,
  readCachedPhotoPages,
} from '../photos/queries.ts';

/** The next page is loaded when this many photos are left on the current one. */
const preloadDistance = 6;

export interface ViewerPhotos {
  /**
   * Index of the first photo; undefined until it is known. `error` is set if the list does not contain the
   * photo.
   */
  index: number | undefined;
  total: number;
  error: Error | null;
  photoAt(index: number): PhotoItem | undefined;
  /**
   * Loads the page of an index, and the next page if the index is close to it. Resolves with the loaded
   * indexes.
   */
  load(index: number): Promise<number[]>;
}

/** `id` is the viewer's first photo; `place` is its last known index from the browser history. */
export function useViewerPhotos(list: PhotoList, id: number, place?: number): ViewerPhotos {
  const client = useQueryClient();
  // Only the first photo is located, and only once: later navigation and deletions must not repeat the
  // search.
  const first = useRef<StartPhoto>({ list, id });
  if (first.current.list !== list) first.current = { list, id };
  const findStart = () => findPhoto(readCachedPhotoPages(client, list), first.current.id);
  first.current.found ??= findStart();
  const around = useQuery({
    ...pageAroundPhotoQuery(client, list, first.current.id, place),
    enabled: first.current.found === undefined,
  });
  if (around.data !== undefined) first.current.found ??= findStart();
  const { found } = first.current;

  const photoAt = useCallback(
    (index: number) => {
      const page = client.getQueryData(photoPageQuery(list, Math.floor(index / pageSize) + 1).queryKey);
      return page?.list[index % pageSize];
    },
    [client, list],
  );
  const load = useCallback(
    async (index: number) => {
      // A list that is being reloaded has no cached pages for a moment.
      const total = readCachedPhotoPages(client, list)[0]?.pagination.total ?? index + 1;
      const wanted = [index - preloadDistance, index, index + preloadDistance]
        .filter((at) => at >= 0 && at < total && !photoAt(at))
        .map((at) => Math.floor(at / pageSize) + 1);
      const missing = [...new Set(wanted)];
      const loaded = await Promise.all(
        missing.map((page) => client.fetchQuery({ ...photoPageQuery(list, page), staleTime: 0 })),
      );
      return loaded.flatMap(({ pagination, list: photos }) =>
        photos.map((_, at) => (pagination.page - 1) * pageSize + at),
      );
    },
    [client, list, photoAt],
  );
  return { index: found?.index, total: found?.total ?? 0, error: around.error, photoAt, load };
}

interface StartPhoto {
  list: PhotoList;
  id: number;
  found?: ReturnType<typeof findPhoto>;
}

function findPhoto(pages: ReturnType<typeof readCachedPhotoPages>, id: number) {
  for (const { list, pagination } of pages) {
    const within = list.findIndex((photo) => photo.id === id);
    if (within >= 0) return { index: (pagination.page - 1) * pageSize + within, total: pagination.total };
  }
  return undefined;
}
