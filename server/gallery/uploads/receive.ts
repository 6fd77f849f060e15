/**
 * Receives the bytes of one request. The server acknowledges bytes only after their objects are in the storage and
 * their rows in the database.
 */
import { createHash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import type { UploadRow } from '../../platform/db/tables-uploads.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { removeUncommittedObjects } from '../photos/upload/upload.ts';
import type { UploadBody } from './body.ts';
import type { Checksum } from './checksum.ts';
import { createPieceCollector, type PieceCollector, storePieces } from './pieces.ts';
import { insertUploadPieces, replaceUploadWriter } from './store.ts';

export interface ReceivedUploadBytes {
  /** Byte offset in the file at which `rest` begins. All earlier bytes are acknowledged. */
  received: number;
  /** Byte offset in the file after all bytes that arrived, including the bytes in `rest`. */
  offset: number;
  /** The end of the file, which is not acknowledged yet. The server acknowledges these bytes when the photo exists. */
  rest: PieceCollector;
}

export interface ReceiveUploadOptions {
  body: UploadBody;
  checksum: Checksum | undefined;
  /**
   * Checks the viewer again before bytes are stored, because a body can take minutes. Throws an error if the viewer may
   * no longer upload.
   */
  confirm(): Promise<void>;
  /** Callback for each chunk of bytes that arrives. */
  onBytes(): void;
}

/**
 * Receives the bytes of a request body into the storage. A body that is cut off counts up to its last byte, but a body
 * with a checksum counts only as a whole. Throws uploadConflict if another request has taken over, or fileTooLarge,
 * checksumMismatch, noSpace or busy. The caller discards `rest`.
 */
export async function receiveUploadBytes(
  deps: Deps,
  upload: UploadRow,
  { body, checksum, confirm, onBytes }: ReceiveUploadOptions,
): Promise<ReceivedUploadBytes> {
  const writer = await replaceUploadWriter(deps, upload);
  const collector = createPieceCollector(deps);
  const digest = checksum && createHash(checksum.algorithm);
  let received = upload.received;
  let offset = upload.received;

  async function storeCollected(count?: number): Promise<void> {
    if (collector.files.length === 0) return;
    await confirm();
    const pieces = await storePieces(deps, collector, count);
    try {
      received = await insertUploadPieces(deps, { id: upload.id, writer, received }, pieces);
    } catch (error) {
      await removeUncommittedObjects(
        deps,
        pieces.map(({ object }) => object),
        error,
      );
      throw error;
    }
  }

  try {
    for await (const bytes of body.bytes) {
      onBytes();
      offset += bytes.length;
      if (offset > upload.size)
        throw errors.fileTooLarge({ message: 'The request has more bytes than Upload-Length announced' });
      digest?.update(bytes);
      await collector.write(bytes);
      const full = collector.files.length - 1;
      if (!digest && full > 0) await storeCollected(full);
    }
    const isCut = body.isCut && offset < upload.size;
    if (isCut && digest) throw errors.invalid({ message: 'The request body ended before its checksum' });
    if (digest && !digest.digest().equals(checksum!.value)) throw errors.checksumMismatch();
    if (offset < upload.size) await storeCollected();
    if (isCut) throw errors.uploadConflict({ message: 'The request body ended too early' });
    await collector.close();
    return { received, offset, rest: collector };
  } catch (error) {
    await collector.discard();
    throw error;
  }
}
