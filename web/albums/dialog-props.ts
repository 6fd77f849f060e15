/** Props that all dialogs of the album menu share. */
import type { AlbumDetail } from '../api/types.ts';

export interface AlbumDialogProps {
  album: AlbumDetail;
  onClose(): void;
}
