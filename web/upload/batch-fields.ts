/** Form fields of an upload, which apply to all its new photos. */
import type { VisibilityLevel } from '../api/types.ts';

export interface UploadBatchFields {
  /** Title of the photos; '' uses each file's name. */
  title: string;
  tags: string;
  visibility: VisibilityLevel;
  /** Id of the album, or 0 for none. */
  album: number;
  /** Creates an album inside `album` for each folder. */
  asAlbums: boolean;
}
