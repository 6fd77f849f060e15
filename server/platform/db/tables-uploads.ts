/** Rows of uploads under way: gallery/uploads. See tables.ts. */
import type { Selectable } from 'kysely';

/** One upload, from its creation until it ends; one that became a photo stays until it expires. */
export interface UploadsTable {
  /** Random, hex: the end of its URL. */
  id: string;
  user_id: number;
  /** Bytes that were announced, and that count against the quota until the upload ends. */
  size: number;
  /** Bytes that are stored durably, in pieces without gaps: the offset. All of `size` only with a photo. */
  received: number;
  /** JSON: what the client said at the creation, name → text or null. */
  metadata: string;
  /** Random: the request that may add pieces. A later request takes it over. '' before the first. */
  writer: string;
  photo_id: number | null;
  create_time: number;
  expire_time: number;
}

export interface UploadPiecesTable {
  /** Name of the object. */
  object: string;
  upload_id: string;
  /** Offset of its first byte. */
  start: number;
  size: number;
}

export interface UploadTables {
  uploads: UploadsTable;
  upload_pieces: UploadPiecesTable;
}

export type UploadRow = Selectable<UploadsTable>;
export type UploadPieceRow = Selectable<UploadPiecesTable>;
