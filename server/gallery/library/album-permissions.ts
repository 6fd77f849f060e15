/** Who may do what with an album: pure predicates over its row and the viewer. */
import type { Viewer } from '../accounts/viewer.ts';

interface OwnedAlbum {
  user_id: number;
  visibility: number;
  /** Of its owner's account: `users.status`. */
  owner_status: number;
}

/** Owner and admins: who may change it and sees all of it. */
export function isAlbumOwner(viewer: Viewer | undefined, album: { user_id: number }): boolean {
  return viewer !== undefined && (viewer.id === album.user_id || viewer.isAdmin);
}

export function canSeeAlbum(viewer: Viewer | undefined, album: OwnedAlbum): boolean {
  return (album.visibility === 2 && album.owner_status === 1) || isAlbumOwner(viewer, album);
}

/** How many of its photos the viewer may see. */
export function photoCountFor(
  viewer: Viewer | undefined,
  album: { user_id: number; photo_count: number; public_count: number },
): number {
  return isAlbumOwner(viewer, album) ? album.photo_count : album.public_count;
}
