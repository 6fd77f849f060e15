/** The dialog "Add to album" for the photo in the viewer. */
import type { CurrentUser, PhotoItem } from '../api/types.ts';
import { findListAlbum } from '../photos/queries.ts';
import type { ViewerContext } from '../photos/remove-from-list.ts';
import { AlbumDialog } from '../selection/albums/dialog.tsx';
import { leaveList } from '../selection/albums/leave-list.ts';

interface Props {
  photo: PhotoItem;
  user: CurrentUser;
  viewer: ViewerContext;
  onClose(): void;
}

export function PhotoAlbums({ photo, user, viewer, onClose }: Props) {
  const album = findListAlbum(viewer.list);
  const page = album !== undefined && {
    album,
    leave: (change: Parameters<typeof leaveList>[2]) => void leaveList(viewer, photo, change),
  };
  return <AlbumDialog photos={[photo]} user={user} onClose={onClose} {...(page && { page })} />;
}
