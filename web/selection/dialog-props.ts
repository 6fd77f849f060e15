/** Props that all dialogs asking for details of a change share. */
import type { CurrentUser, PhotoItem } from '../api/types.ts';
import type { BulkActionHandlers } from '../photos/bulk-actions.ts';

export interface BulkDialogProps {
  photos: PhotoItem[];
  user: CurrentUser;
  onClose(): void;
  onChange: BulkActionHandlers['change'];
}
