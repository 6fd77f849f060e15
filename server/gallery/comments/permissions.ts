/** Who may do what with a comment: its author always, whether they still see the photo or not. */

import type { CommentRow, PhotoRow } from '../../platform/db/tables.ts';
import type { Viewer } from '../accounts/viewer.ts';

export function canChange(viewer: Viewer, comment: Pick<CommentRow, 'user_id'>): boolean {
  return comment.user_id === viewer.id || viewer.isAdmin;
}

/** A photo's owner may delete what others wrote below it, and not change their words. */
export function canDelete(
  viewer: Viewer,
  comment: Pick<CommentRow, 'user_id'>,
  photo: Pick<PhotoRow, 'user_id'>,
): boolean {
  return canChange(viewer, comment) || photo.user_id === viewer.id;
}
