/** Changes of a photo in the viewer. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { PhotoUpdate } from '../api/types.ts';
import { patchPhoto, photoQuery } from '../photos/queries.ts';

export type Details = Pick<PhotoUpdate, 'title' | 'description' | 'tags' | 'is_public'>;

/** Saves details of a photo. Missing fields stay unchanged. */
export function useSaveDetails(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changed: Details) => callApi<unknown>('PUT', `/api/photos/${id}`, { body: changed }),
    onSuccess: (_, { title, description, tags, is_public }) => {
      patchPhoto(client, id, (photo) => ({
        ...photo,
        title: title ?? photo.title,
        is_public: is_public ?? photo.is_public,
      }));
      client.setQueryData(
        photoQuery(id).queryKey,
        (photo) =>
          photo && { ...photo, description: description ?? photo.description, tags: tags ?? photo.tags },
      );
      // Other lists may have gained or lost the photo. The list below stays as it is until the next visit.
      return client.invalidateQueries({ queryKey: ['photos', 'list'], refetchType: 'none' });
    },
  });
}
