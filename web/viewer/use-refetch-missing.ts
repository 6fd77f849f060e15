/**
 * Handles photos that change elsewhere while the viewer is open. A picture that fails to load is requested
 * again at its new URL. A deleted photo is reported, and the next one is shown.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { ApiError } from '../api/client.ts';
import { t } from '../messages/messages.ts';
import { type PhotoList, patchCachedPhoto, photoQuery, refreshPhotoList } from '../photos/queries.ts';
import { useWallContext } from '../photos/wall/wall-context.ts';
import type { ViewerStage } from './stage.ts';
import type { ViewerPhotos } from './use-list-photos.ts';

interface ViewerState {
  stage: ViewerStage | undefined;
  index: number;
  total: number;
  /** API error for the photo that the viewer shows. */
  error: Error | null;
}

/** Returns a function that reloads a photo's data after its picture failed to load. */
export function useRefetchMissingPicture(
  photoAt: ViewerPhotos['photoAt'],
  now: { current: ViewerState | undefined },
) {
  const client = useQueryClient();
  const { list } = useWallContext();
  const tried = useRef(new Set<string>());
  return useCallback(
    async (index: number) => {
      const photo = photoAt(index);
      // Pictures of neighboring photos are preloaded; their failures do not matter until the user gets there.
      if (!photo || now.current?.index !== index || tried.current.has(photo.preview)) return;
      tried.current.add(photo.preview);
      try {
        const { thumb, preview, image, width, height, placeholder } = await client.fetchQuery({
          ...photoQuery(photo.id, list),
          staleTime: 0,
        });
        patchCachedPhoto(client, photo.id, (shown) => ({
          ...shown,
          ...{ thumb, preview, image, width, height, placeholder },
        }));
        now.current?.stage?.refresh(index);
      } catch {
        // The info panel shows the API's error. The user can try again, for example when the network is back.
        tried.current.delete(photo.preview);
      }
    },
    [client, list, photoAt, now],
  );
}

export function useLeaveGonePhoto({ stage, index, total, error }: ViewerState): void {
  const client = useQueryClient();
  const { list } = useWallContext();
  const lost = useRef<PhotoList>(undefined);
  const gone = useRef(new Set<number>());
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 403);
  useEffect(() => {
    if (!isGone || !stage) return;
    void import('../ui/toast.tsx').then(({ showToast }) => showToast({ text: t('photoGone') }));
    lost.current = list;
    // Other lists are reloaded on the next visit.
    void client.invalidateQueries({ queryKey: ['photos', 'list'], refetchType: 'none' });
    gone.current.add(index);
    if (index < total - 1 && !gone.current.has(index + 1)) stage.next();
    else if (index > 0 && !gone.current.has(index - 1)) stage.previous();
    else stage.close();
  }, [isGone, stage, index, total, client, list]);
  // The wall below is reloaded when the viewer closes; until then indexes must match the viewer's.
  useEffect(
    () => () => {
      if (lost.current) refreshPhotoList(client, lost.current).catch(() => {});
    },
    [client],
  );
}
