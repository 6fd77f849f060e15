/**
 * Actions on a photo in the user's own album. The script is loaded when the viewer opens over such an album.
 */
import { type ReactNode, useEffect, useState } from 'react';
import type { PhotoItem } from '../api/types.ts';
import { withTexts } from '../messages/messages.ts';
import { getPhotoName } from '../photos/name.ts';
import type { ViewerContext } from '../photos/remove-from-list.ts';
import { useWallContext } from '../photos/wall/wall-context.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { useLazyModule } from '../ui/use-loaded.ts';

const loadAlbumArranging = withTexts(() => import('../arrange/in-viewer.ts'), 'arrange');

export function useAlbumActions(
  photo: PhotoItem | undefined,
  viewer: ViewerContext,
): [MenuItem[], ReactNode] {
  const { album } = useWallContext();
  const [acts, begin] = useLazyModule(loadAlbumArranging);
  const [asked, ask] = useState<PhotoItem>();
  useEffect(() => {
    if (album) begin();
  }, [album, begin]);
  if (!album || !acts || !photo) return [[], null];
  const question = asked && (
    <acts.RemoveFromAlbumDialog
      name={getPhotoName(asked)}
      onClose={() => ask(undefined)}
      onConfirm={() => {
        ask(undefined);
        void acts.removeViewedPhoto(album, asked, viewer);
      }}
    />
  );
  return [acts.createAlbumItems({ album, photo, viewer, ask }), question];
}
