/** The edits of a photo, and the one call that saves them. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { Edited, EditHistory, EditStep } from '../api/types.ts';
import { patchPhoto, photoOf } from '../photos/queries.ts';

/** Asked for anew whenever the editor opens: somebody may have edited it elsewhere. */
export const editsOf = (id: number) =>
  queryOptions({
    queryKey: ['edits', id],
    queryFn: ({ signal }) => call<EditHistory>('GET', `/api/photos/${id}/edits`, { signal, urgency: 'act' }),
    staleTime: 0,
    gcTime: 0,
  });

/** Steps as a whole: the same ones again change nothing, so a save may be repeated. */
export function useSaveEdits(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (steps: EditStep[]) => call<Edited>('PUT', `/api/photos/${id}/edits`, { body: { steps } }),
    onSuccess: ({ path, size, ...shown }) => {
      patchPhoto(client, id, (photo) => ({ ...photo, ...shown }));
      client.setQueryData(photoOf(id).queryKey, (photo) => photo && { ...photo, path, size });
    },
  });
}
