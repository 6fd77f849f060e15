/** The edit history of a photo, and the call that saves new edits. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { EditHistory, EditResult, EditStep } from '../api/types.ts';
import { patchCachedPhoto, photoQuery } from '../photos/queries.ts';

/** The history is reloaded whenever the editor opens, because the photo may have been edited elsewhere. */
export const editHistoryQuery = (id: number) =>
  queryOptions({
    queryKey: ['edits', id],
    queryFn: ({ signal }) =>
      callApi<EditHistory>('GET', `/api/photos/${id}/edits`, { signal, urgency: 'act' }),
    staleTime: 0,
    gcTime: 0,
  });

/** Saves all steps of the photo. Saving the same steps again changes nothing, so a save can be retried. */
export function useSaveEdits(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (steps: EditStep[]) =>
      callApi<EditResult>('PUT', `/api/photos/${id}/edits`, { body: { steps } }),
    onSuccess: ({ path, size, ...shown }) => {
      patchCachedPhoto(client, id, (photo) => ({ ...photo, ...shown }));
      client.setQueryData(photoQuery(id).queryKey, (photo) => photo && { ...photo, path, size });
    },
  });
}
