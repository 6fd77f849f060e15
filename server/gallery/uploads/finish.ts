/** Makes a photo of an upload after the last bytes have arrived, by the same steps as for an upload by form. */
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../deps.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import type { UploadRow } from '../../platform/db/tables-uploads.ts';
import { errorCatalogue, errors, invalidFieldsError } from '../../platform/errors/catalogue.ts';
import { toApiError } from '../../platform/http/error-handler.ts';
import { AbandonedJobError } from '../../platform/imaging/errors.ts';
import { createChecksumMeter } from '../../platform/storage/checksum.ts';
import type { Viewer } from '../identity/viewer.ts';
import { presentUploadedPhoto } from '../photos/present.ts';
import type { ResumableUploadRows } from '../photos/upload/insert.ts';
import { refundQuota } from '../photos/upload/quota.ts';
import { type ReceivedFile, savePhoto } from '../photos/upload/upload.ts';
import { readUploadMetadata, toUploadedPhotoDetails } from './metadata.ts';
import type { PieceCollector } from './pieces.ts';
import {
  deleteUpload,
  findUploadPieces,
  releaseUploadPieces,
  removeObjectsNow,
  type UploadPiece,
} from './store.ts';

/** All bytes of a resumable upload: the stored pieces, and the last bytes, which are not stored yet. */
export interface CompletedUpload {
  /** Row of the upload, whose `received` is the byte offset at which `rest` begins. */
  upload: UploadRow;
  rest: PieceCollector;
  /**
   * Releases the slot in the upload queue after the file is assembled. Assembling needs as much disk space as
   * receiving.
   */
  releaseSlot(): void;
}

/**
 * Creates the photo of a complete upload. Throws the same errors as an upload by form, and then deletes the upload.
 * After a temporary error, such as busy or noSpace, the upload stays, and the client sends the last bytes again.
 */
export async function finishUpload(
  deps: Deps,
  request: { viewer: Viewer; confirmViewer(): Promise<void> },
  whole: CompletedUpload,
) {
  await request.confirmViewer();
  try {
    return await makePhoto(deps, request.viewer, whole);
  } catch (error) {
    if (isFinal(error)) await deleteUpload(deps, whole.upload.id);
    throw error;
  }
}

/** Returns true if a retry of the upload with the same bytes would fail again. */
function isFinal(error: unknown): boolean {
  if (error instanceof AbandonedJobError) return false;
  const { code, status } = toApiError(error);
  return (
    status < 500 &&
    code !== errorCatalogue.tooManyRequests.code &&
    code !== errorCatalogue.uploadConflict.code
  );
}

async function makePhoto(deps: Deps, viewer: Viewer, { upload, rest, releaseSlot }: CompletedUpload) {
  const metadata = readUploadMetadata(upload.metadata);
  const received = await assembleUpload(deps, upload, metadata.filename ?? '', rest);
  releaseSlot();
  let objects: string[] = [];
  const source = createSource(deps, upload, (names) => {
    objects = names;
  });
  try {
    if (metadata.sha256 && metadata.sha256.toLowerCase() !== received.sha256) {
      throw invalidFieldsError({ sha256: ['Is not the SHA-256 of the file'] });
    }
    const photo = await savePhoto(deps, viewer, received, { ...toUploadedPhotoDetails(metadata), source });
    await removeObjectsNow(deps, objects);
    return presentUploadedPhoto(deps, viewer, photo);
  } finally {
    await received.file.discard();
  }
}

/**
 * Returns functions that change the rows of a resumable upload in the transaction of its photo. `release` deletes the rows
 * of the pieces and passes the names of their objects to `onRelease`. A repeated transaction calls `onRelease` again.
 */
function createSource(
  deps: Deps,
  upload: UploadRow,
  onRelease: (objects: string[]) => void,
): ResumableUploadRows {
  return {
    async release(transaction) {
      await lockForFinish(transaction, upload);
      onRelease(await releaseUploadPieces(deps, transaction, upload.id));
      await refundQuota(transaction, upload.user_id, [upload]);
    },
    async attach(transaction, photoId) {
      await transaction
        .updateTable('uploads')
        .set({ photo_id: photoId })
        .where('id', '=', upload.id)
        .execute();
    },
  };
}

/**
 * Marks the upload as complete in the transaction of its photo. Only one of several concurrent requests succeeds, and
 * the others throw uploadConflict.
 */
async function lockForFinish(transaction: Transaction, { id, size, received }: UploadRow): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('uploads')
    .set({ received: size, writer: '' })
    .where('id', '=', id)
    .where('received', '=', received)
    .where('photo_id', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw errors.uploadConflict();
}

/** Writes all bytes to one temporary file, because imaging needs a file on the local disk. */
async function assembleUpload(
  deps: Deps,
  upload: UploadRow,
  fileName: string,
  rest: PieceCollector,
): Promise<ReceivedFile> {
  const pieces = await findUploadPieces(deps, upload.id);
  const file = await deps.storage.temporary();
  const meter = createChecksumMeter();
  try {
    const bytes = meter.through(readPieces(deps, pieces, rest));
    await pipeline(bytes, createWriteStream(file.path, { flags: 'r+' }));
    const { size, sha256 } = meter.sum();
    if (size !== upload.size) throw lostPartsError();
    return { file, size, sha256, fileName };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function* readPieces(
  { storage }: Deps,
  pieces: UploadPiece[],
  rest: PieceCollector,
): AsyncGenerator<Buffer> {
  for (const { object } of pieces) {
    const stream = await storage.open(object);
    if (!stream) throw lostPartsError();
    yield* stream;
  }
  for (const { file } of rest.files) yield* createReadStream(file.path);
}

function lostPartsError(): Error {
  return errors.uploadNotFound({ message: 'Parts of the upload are lost. Start the upload again.' });
}
