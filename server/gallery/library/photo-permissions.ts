/** Who may do what with a photo: pure predicates over its row and the viewer. */
import type { Viewer } from '../accounts/viewer.ts';

interface OwnedPhoto {
  user_id: number;
}

interface SeenPhoto extends OwnedPhoto {
  visibility: number;
  /** Of its owner's account: `users.status`. */
  owner_status: number;
}

export function isOwner(viewer: Viewer | undefined, photo: OwnedPhoto): boolean {
  return viewer?.id === photo.user_id;
}

export function canEdit(viewer: Viewer | undefined, photo: OwnedPhoto): boolean {
  return isOwner(viewer, photo) || viewer?.isAdmin === true;
}

/** Public photos of enabled accounts: what somebody without an account sees. */
export function isOpen({ visibility, owner_status }: SeenPhoto): boolean {
  return visibility === 2 && owner_status === 1;
}

/** Public photos are for everybody, others for owner and admins. The trash is asked for elsewhere. */
export function canSee(viewer: Viewer | undefined, photo: SeenPhoto): boolean {
  return isOpen(photo) || (photo.visibility > 0 && canEdit(viewer, photo));
}
