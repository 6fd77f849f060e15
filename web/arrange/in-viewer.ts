/** Actions in the viewer for the owner of an album: make the photo the cover, or remove it from the album. */
import { FolderMinus, ImageIcon } from 'lucide-react';
import type { AlbumDetail, PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { getPhotoName } from '../photos/name.ts';
import { removeFromList, type ViewerContext } from '../photos/remove-from-list.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { showToast } from '../ui/toast.tsx';
import { chooseCover, removeFromAlbum, returnToAlbum } from './queries.ts';
import { isHiddenByAlbum } from './remove-dialog.tsx';
import { describeOrderError } from './use-order.ts';

export { RemoveFromAlbumDialog } from './remove-dialog.tsx';

interface ViewedAlbumPhoto {
  album: AlbumDetail;
  photo: PhotoItem;
  viewer: ViewerContext;
  /** Asks for confirmation before a removal makes the photo visible to everybody. */
  ask(photo: PhotoItem): void;
}

export function createAlbumItems({ album, photo, viewer, ask }: ViewedAlbumPhoto): MenuItem[] {
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
      perform: () => (isHiddenByAlbum(album) ? ask(photo) : void removeViewedPhoto(album, photo, viewer)),
    },
  ];
}

export async function removeViewedPhoto(
  { id }: AlbumDetail,
  photo: PhotoItem,
  viewer: ViewerContext,
): Promise<void> {
  const name = getPhotoName(photo);
  await removeFromList(viewer, photo, {
    perform: () => runAndReportSuccess(removeFromAlbum(id, photo.id)),
    undo: () => runAndReportSuccess(returnToAlbum(id, photo.id)),
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
