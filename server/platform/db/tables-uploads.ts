/** Table rows for resumable uploads (`gallery/uploads`). See `tables.ts`. */
import type { Selectable } from 'kysely';

/** An upload from its creation until its end. A completed upload stays until it expires. */
export interface UploadsTable {
  /** Random id in hex, the last part of the upload's URL. */
  id: string;
  user_id: number;
  /** Announced size in bytes, which counts against the quota until the upload ends. */
  size: number;
  /**
   * Number of bytes durably stored in pieces without gaps, which is the next offset. Equals `size` only after the photo
   * was created.
   */
  received: number;
  /** Metadata from the client's creation request: JSON of name → text or null. */
  metadata: string;
  /** Random id of the request that may add pieces. A later request replaces this id. Empty before the first request. */
  writer: string;
  photo_id: number | null;
  create_time: number;
  expire_time: number;
}

export interface UploadPiecesTable {
  /** Name of the piece's object in the storage. */
  object: string;
  upload_id: string;
  /** Offset of the piece's first byte. */
  start: number;
  size: number;
}

export interface UploadTables {
  uploads: UploadsTable;
  upload_pieces: UploadPiecesTable;
}

export type UploadRow = Selectable<UploadsTable>;
export type UploadPieceRow = Selectable<UploadPiecesTable>;
