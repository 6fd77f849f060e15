/** The edits of a photo, and the one call that saves them. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { EditHistory, EditResult, EditStep } from '../api/types.ts';
import { patchPhoto, photoQuery } from '../photos/queries.ts';

/** Asked for anew whenever the editor opens: somebody may have edited it elsewhere. */
export const editsQuery = (id: number) =>
  queryOptions({
    queryKey: ['edits', id],
    queryFn: ({ signal }) =>
      callApi<EditHistory>('GET', `/api/photos/${id}/edits`, { signal, urgency: 'act' }),
    staleTime: 0,
    gcTime: 0,
  });

/** Steps as a whole: the same ones again change nothing, so a save may be repeated. */
export function useSaveEdits(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (steps: EditStep[]) =>
      callApi<EditResult>('PUT', `/api/photos/${id}/edits`, { body: { steps } }),
    onSuccess: ({ path, size, ...shown }) => {
      patchPhoto(client, id, (photo) => ({ ...photo, ...shown }));
      client.setQueryData(photoQuery(id).queryKey, (photo) => photo && { ...photo, path, size });
    },
  });
}
