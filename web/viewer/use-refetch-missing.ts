/**
 * A photo that changed elsewhere while it is looked at: a picture that does not come is asked for by its new way, and
 * a photo that is gone is said to be, and the next one shown.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { ApiError } from '../api/client.ts';
import { t } from '../messages/messages.ts';
import { type PhotoList, patchPhoto, photoQuery, refreshList } from '../photos/queries.ts';
import { useWallContext } from '../photos/wall/wall-context.ts';
import type { Stage } from './stage.ts';
import type { ListPhotos } from './use-list-photos.ts';

interface ViewerState {
  stage: Stage | undefined;
  index: number;
  total: number;
  /** What the API said of the photo that is shown, where it said no. */
  error: Error | null;
}

/** What to do about a picture that did not come. */
export function useRefetchMissing(photoAt: ListPhotos['photoAt'], now: { current: ViewerState | undefined }) {
  const client = useQueryClient();
  const tried = useRef(new Set<string>());
  return useCallback(
    async (index: number) => {
      const photo = photoAt(index);
      // Neighbours are loaded ahead: those that one never comes to are nobody's loss.
      if (!photo || now.current?.index !== index || tried.current.has(photo.preview)) return;
      tried.current.add(photo.preview);
      try {
        const { thumb, preview, image, width, height, placeholder } = await client.fetchQuery({
          ...photoQuery(photo.id),
          staleTime: 0,
        });
        patchPhoto(client, photo.id, (shown) => ({
          ...shown,
          ...{ thumb, preview, image, width, height, placeholder },
        }));
        now.current?.stage?.refresh(index);
      } catch {
        // What the API says of the photo is told where its details are.
      }
    },
    [client, photoAt, now],
  );
}

export function useLeaveGonePhoto({ stage, index, total, error }: ViewerState): void {
  const client = useQueryClient();
  const { list } = useWallContext();
  const lost = useRef<PhotoList>(undefined);
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 403);
  useEffect(() => {
    if (!isGone || !stage) return;
    void import('../ui/toast.tsx').then(({ showToast }) => showToast({ text: t('photoGone') }));
    lost.current = list;
    // Other lists are asked for anew when one goes there.
    void client.invalidateQueries({ queryKey: ['photos', 'list'], refetchType: 'none' });
    if (index < total - 1) stage.next();
    else if (index > 0) stage.previous();
    else stage.close();
  }, [isGone, stage, index, total, client, list]);
  // The wall below, when one comes to it again: places in it are those of the viewer until then.
  useEffect(
    () => () => {
      if (lost.current) refreshList(client, lost.current).catch(() => {});
    },
    [client],
  );
}
