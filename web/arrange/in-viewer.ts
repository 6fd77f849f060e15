/** Actions in the viewer for the owner of an album: make the photo the cover, or remove it from the album. */
import { FolderMinus, ImageIcon } from 'lucide-react';
import type { AlbumDetail, PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { getPhotoName } from '../photos/name.ts';
import { removeFromList, type ViewerContext } from '../photos/remove-from-list.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { showToast } from '../ui/toast.tsx';
import { chooseCover, removeFromAlbum, restoreToAlbum } from './queries.ts';
import { describeOrderError } from './use-order.ts';

interface ViewedAlbumPhoto {
  album: AlbumDetail;
  photo: PhotoItem;
  viewer: ViewerContext;
}

export function createAlbumItems({ album, photo, viewer }: ViewedAlbumPhoto): MenuItem[] {
  const invalidateAlbums = () => void viewer.client.invalidateQueries({ queryKey: ['albums'] });
  return [
    {
      ...{ name: 'cover', icon: ImageIcon, label: t('albumUseAsCover') },
      perform: () =>
        void runAndReportSuccess(chooseCover(album.id, photo.id)).then((isCover) => {
          if (isCover) showToast({ text: t('albumCoverUpdated') });
          invalidateAlbums();
        }),
    },
    {
      ...{ name: 'out', icon: FolderMinus, label: t('albumRemovePhoto') },
      perform: () => void removeViewedPhoto(album, photo, viewer),
    },
  ];
}

async function removeViewedPhoto(
  { id }: AlbumDetail,
  photo: PhotoItem,
  viewer: ViewerContext,
): Promise<void> {
  const name = getPhotoName(photo);
  await removeFromList(viewer, photo, {
    perform: () => runAndReportSuccess(removeFromAlbum(id, photo.id)),
    undo: () => runAndReportSuccess(restoreToAlbum(id, photo.id, photo.visibility)),
    done: t('albumPhotoRemoved', { name }),
    undoLabel: t('albumUndoRemoval'),
    undone: t('albumPhotoRestored', { name }),
  });
}

/** Returns whether the action succeeded, and shows the error if it failed. */
async function runAndReportSuccess(act: Promise<void>): Promise<boolean> {
  try {
    await act;
    return true;
  } catch (error) {
    showToast({ text: describeOrderError(error as Error), isError: true });
    return false;
  }
}
