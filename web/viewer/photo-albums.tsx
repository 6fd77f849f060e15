/** The dialog "Add to album" for the photo in the viewer. */
import type { CurrentUser, PhotoItem } from '../api/types.ts';
import { findAlbumOfList } from '../photos/queries.ts';
import type { ViewerContext } from '../photos/remove-from-list.ts';
import { ChooseAlbumsDialog } from '../selection/albums/dialog.tsx';
import { performRemovalInViewer } from '../selection/albums/leave-list.ts';

interface Props {
  photo: PhotoItem;
  user: CurrentUser;
  viewer: ViewerContext;
  onClose(): void;
}

export function PhotoAlbumsDialog({ photo, user, viewer, onClose }: Props) {
  const album = findAlbumOfList(viewer.list);
  const page = album !== undefined && {
    album,
    leave: (change: Parameters<typeof performRemovalInViewer>[2]) =>
      void performRemovalInViewer(viewer, photo, change),
  };
  return <ChooseAlbumsDialog photos={[photo]} user={user} onClose={onClose} {...(page && { page })} />;
}
