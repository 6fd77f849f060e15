/**
 * Actions on a photo in the user's own album. The script is loaded when the viewer opens over such an album.
 */
import { useEffect } from 'react';
import type { PhotoItem } from '../api/types.ts';
import { loadWithTexts } from '../messages/messages.ts';
import type { ViewerContext } from '../photos/remove-from-list.ts';
import { useWallContext } from '../photos/wall/wall-context.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { useLazyModule } from '../ui/use-loaded.ts';

const loadAlbumArranging = loadWithTexts(() => import('../arrange/in-viewer.ts'), 'arrange', 'selection');

export function useAlbumActions(photo: PhotoItem | undefined, viewer: ViewerContext): MenuItem[] {
  const { album } = useWallContext();
  const [acts, begin] = useLazyModule(loadAlbumArranging);
  useEffect(() => {
    if (album) begin();
  }, [album, begin]);
  return album && acts && photo ? acts.createAlbumMenuItems({ album, photo, viewer }) : [];
}
