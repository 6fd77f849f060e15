/** Loads the photos of the sections near the window, by their index in the list. */
import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { PhotoSection } from '../../../server/gallery/pages/sections.ts';
import type { PhotoItem } from '../../api/types.ts';
import { type PhotoList, pageSize, photoPageQuery } from '../queries.ts';

export interface WallPhotos {
  /** Returns a section's photos, or undefined until all of them are loaded. */
  getPhotos(section: PhotoSection): PhotoItem[] | undefined;
  error: Error | null;
  retry(): void;
}

function listPageNumbers({ from, count }: PhotoSection): number[] {
  const first = Math.floor(from / pageSize);
  const last = Math.floor((from + count - 1) / pageSize);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index + 1);
}

/** Loads the photos of nearby sections. Missing pages are requested only while `isResting` is true. */
export function useWallPhotos(list: PhotoList, near: PhotoSection[], isResting: boolean): WallPhotos {
  const numbers = useMemo(() => [...new Set(near.flatMap(listPageNumbers))], [near]);
  const { pages, error, retry } = useQueries({
    queries: numbers.map((page) => ({ ...photoPageQuery(list, page), enabled: isResting })),
    combine: useCallback(
      (results: { data: { list: PhotoItem[] } | undefined; error: Error | null; refetch(): unknown }[]) => ({
        pages: new Map(results.map(({ data }, index) => [numbers[index]!, data?.list])),
        error: results.find((result) => result.error)?.error ?? null,
        retry: () => {
          for (const result of results) if (result.error) result.refetch();
        },
      }),
      [numbers],
    ),
  });
  const getPhotos = useCallback(
    ({ from, count }: PhotoSection) => {
      const photos: PhotoItem[] = [];
      for (let index = from; index < from + count; index++) {
        const photo = pages.get(Math.floor(index / pageSize) + 1)?.[index % pageSize];
        // The list has become shorter since its months were loaded.
        if (photo) photos.push(photo);
        else if (!pages.get(Math.floor(index / pageSize) + 1)) return undefined;
      }
      return photos;
    },
    [pages],
  );
  return { getPhotos, error, retry };
}
