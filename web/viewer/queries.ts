/** Changes of a photo in the viewer. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { PhotoUpdate, VisibilityLevel } from '../api/types.ts';
import { patchCachedPhoto, photoQuery } from '../photos/queries.ts';

export type PhotoDetails = Pick<PhotoUpdate, 'title' | 'description' | 'tags' | 'visibility'>;

interface DetailsChange {
  changed: PhotoDetails;
  /** Level that counts after the change. */
  effective: VisibilityLevel;
}

/** Saves details of a photo. Missing fields stay unchanged. */
export function useSaveDetails(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ changed }: DetailsChange) =>
      callApi<unknown>('PUT', `/api/photos/${id}`, { body: changed }),
    onSuccess: (_, { changed: { title, description, tags, visibility }, effective }) => {
      patchCachedPhoto(client, id, (photo) => ({
        ...photo,
        title: title ?? photo.title,
        ...(visibility && { visibility, effective_visibility: effective }),
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
