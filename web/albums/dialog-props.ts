/** The props of each dialog of the album menu. */
import type { AlbumDetail } from '../api/types.ts';

export interface DialogProps {
  album: AlbumDetail;
  onClose(): void;
}
