/** Who may do what with a photo: pure predicates over its row and the viewer. */
import type { Viewer } from '../auth/viewer.ts';

interface OwnedPhoto {
  user_id: number;
  visibility: number;
}

export function isOwner(viewer: Viewer | undefined, photo: OwnedPhoto): boolean {
  return viewer?.id === photo.user_id;
}

export function canEdit(viewer: Viewer | undefined, photo: OwnedPhoto): boolean {
  return isOwner(viewer, photo) || viewer?.isAdmin === true;
}

/** Public photos are for everybody, private ones for owner and admins. The trash is asked for elsewhere. */
export function canSee(viewer: Viewer | undefined, photo: OwnedPhoto): boolean {
  return photo.visibility === 2 || (photo.visibility === 1 && canEdit(viewer, photo));
}
