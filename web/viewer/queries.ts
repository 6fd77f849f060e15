/** Changes of a photo in the viewer. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { callApi } from '../api/client.ts';
import type { PhotoUpdate, VisibilityLevel } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { patchCachedPhoto, photoQuery, refreshPhotoList } from '../photos/queries.ts';
import { useWallContext } from '../photos/wall/wall-context.ts';
import { showFailure } from '../ui/show-failure.ts';

export type PhotoDetails = Pick<
  PhotoUpdate,
  'title' | 'description' | 'tags' | 'visibility' | 'taken_time' | 'location'
>;

const correctionKey = ['photo corrections'];

/**
 * Marks lists as stale and reloads the list below when the viewer closes after a correction. A reload under the
 * open viewer could move photos in the list.
 */
export function useRefreshAfterCorrections(): void {
  const client = useQueryClient();
  const { list } = useWallContext();
  useEffect(() => {
    let isCorrected = false;
    const unsubscribe = client.getMutationCache().subscribe(({ type, mutation }) => {
      isCorrected ||= type === 'added' && mutation.options.mutationKey === correctionKey;
    });
    return () => {
      unsubscribe();
      if (isCorrected) refreshPhotoList(client, list).catch(() => {});
    };
  }, [client, list]);
}

interface DetailsChange {
  changed: PhotoDetails;
  /** Level that counts after the change. */
  effective: VisibilityLevel;
}

/** Saves details of a photo. Missing fields stay unchanged. */
export function useSaveDetails(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: correctionKey,
    mutationFn: ({ changed }: DetailsChange) =>
      callApi<unknown>('PUT', `/api/photos/${id}`, { body: changed }),
    onSuccess: (_, { changed, effective }) => {
      const { title, description, tags, visibility, taken_time, location } = changed;
      patchCachedPhoto(client, id, (photo) => ({
        ...photo,
        title: title ?? photo.title,
        ...(visibility && { visibility, effective_visibility: effective }),
      }));
      client.setQueryData(
        photoQuery(id).queryKey,
        (photo) =>
          photo && {
            ...photo,
            ...{ description: description ?? photo.description, tags: tags ?? photo.tags },
            taken_time: taken_time ?? photo.taken_time,
            ...(location !== undefined && { location }),
          },
      );
      // Only the server knows which values of the file now differ.
      void client.invalidateQueries(photoQuery(id));
    },
  });
}

type FromFile = NonNullable<PhotoUpdate['from_file']>;

/** Gives fields of a photo the values of its file, which takes corrections back. */
export function useTakeFromFile(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: correctionKey,
    mutationFn: (fields: FromFile) =>
      callApi<unknown>('PUT', `/api/photos/${id}`, { body: { from_file: fields } }),
    onSuccess: async () => {
      const { title } = await client.fetchQuery({ ...photoQuery(id), staleTime: 0 });
      patchCachedPhoto(client, id, (photo) => ({ ...photo, title }));
    },
  });
}

interface Rating {
  id: number;
  rating: number;
}

/** Rates a photo. The details show the rating at once, and the former rating again if the API refuses. */
export function useRatePhoto() {
  const client = useQueryClient();
  const setCached = (id: number, rating: number) =>
    client.setQueryData(photoQuery(id).queryKey, (photo) => photo && { ...photo, rating });
  const mutation = useMutation({
    mutationKey: correctionKey,
    scope: { id: 'ratings' },
    mutationFn: ({ id, rating }: Rating) =>
      callApi<unknown>('PUT', `/api/photos/${id}`, { body: { rating } }),
    onMutate: ({ id, rating }) => {
      const former = client.getQueryData(photoQuery(id).queryKey)?.rating;
      setCached(id, rating);
      return { former };
    },
    onError: (error, given, context) => {
      if (context?.former !== undefined) setCached(given.id, context.former);
      showFailure(error, () => mutation.mutate(given));
    },
    onSuccess: (_, { id, rating }, { former }) => {
      void client.invalidateQueries(photoQuery(id));
      void import('../ui/toast.tsx').then(({ showToast }) => {
        closeLast.current?.();
        closeLast.current = showToast({
          text: rating === 0 ? t('ratingRemoved') : t('ratingSet', { count: rating }),
          ...(former !== undefined &&
            former !== rating && {
              action: { label: t('undoLast'), perform: () => mutation.mutate({ id, rating: former }) },
            }),
        });
      });
    },
  });
  // Quick ratings one after the other show one message, that of the last.
  const closeLast = useRef<() => void>(undefined);
  return mutation;
}
