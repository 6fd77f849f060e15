/** Actions in the viewer for the owner of an album: make the photo the cover, or remove it from the album. */
import { FolderMinus, ImageIcon } from 'lucide-react';
import type { AlbumDetail, PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import type { ViewerContext } from '../photos/remove-from-list.ts';
import { performRemovalInViewer } from '../selection/albums/leave-list.ts';
import { createRemovalFromAlbum } from '../selection/albums/remove.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { showToast } from '../ui/toast.tsx';
import { setAlbumCover } from './queries.ts';
import { describeOrderError } from './use-order.ts';

interface ViewedAlbumPhoto {
  album: AlbumDetail;
  photo: PhotoItem;
  viewer: ViewerContext;
}

export function createAlbumMenuItems({ album, photo, viewer }: ViewedAlbumPhoto): MenuItem[] {
  const setCover = () => {
    setAlbumCover(album.id, photo.id)
      .then(() => showToast({ text: t('albumCoverUpdated') }))
      .catch((error) => showToast({ text: describeOrderError(error), isError: true }))
      .finally(() => viewer.client.invalidateQueries({ queryKey: ['albums'] }));
  };
  return [
    { ...{ name: 'cover', icon: ImageIcon, label: t('albumUseAsCover') }, perform: setCover },
    {
      ...{ name: 'out', icon: FolderMinus, label: t('removeFromAlbum') },
      perform: () =>
        void performRemovalInViewer(viewer, photo, createRemovalFromAlbum(viewer.client, album, [photo])),
    },
  ];
}
