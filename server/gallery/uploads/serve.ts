/** Handles the requests of resumable uploads: maps the operations of tus 1.0 to the storage and the database. */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requestCaller } from '../../platform/connections/address.ts';
import type { UploadRow } from '../../platform/db/tables-uploads.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createFileTooLargeError } from '../../platform/errors/file-limit.ts';
import { createObjectKey } from '../../platform/storage/keys.ts';
import type { Viewer } from '../identity/viewer.ts';
import { getTargetAlbum } from '../library/albums.ts';
import { createReadPhotoDetail } from '../photos/detail.ts';
import { findDuplicatePhoto, type SamePhoto } from '../photos/upload/same-original.ts';
import { openUploadBody } from './body.ts';
import { parseChecksum } from './checksum.ts';
import { finishUpload } from './finish.ts';
import { createUploadLocks, type UploadLock } from './locks.ts';
import { parseUploadMetadata } from './metadata.ts';
import { receiveUploadBytes } from './receive.ts';
import type { UploadMetadata } from './schema.ts';
import { createUpload, deleteUpload, getUpload } from './store.ts';
import { readByteCountHeader, refuseUnsupportedExtensions, uploadBytesMediaType } from './tus.ts';

export interface SignedInUploadRequest extends FastifyRequest {
  viewer: Viewer;
}

export interface UploadProgress {
  upload: UploadRow;
  /** Number of bytes of the upload that the server has received. */
  offset: number;
  /** The new photo, if the request sent the last bytes of the file. */
  photo: Awaited<ReturnType<typeof finishUpload>> | undefined;
}

/**
 * Returns the operations on uploads. Every operation can throw invalid and uploadNotFound, besides the errors in its
 * own comment.
 */
export function createUploadOperations(deps: Deps) {
  const locks = createUploadLocks();
  const readDetail = createReadPhotoDetail(deps);

  async function withLock<Result>(
    { viewer }: SignedInUploadRequest,
    id: string,
    work: (upload: UploadRow, lock: UploadLock) => Promise<Result>,
  ): Promise<Result> {
    // The owner is checked before the lock is taken, because a stranger's request would otherwise stop the owner's
    // request.
    await getUpload(deps, viewer.id, id);
    const lock = await locks.acquire(id);
    try {
      return await work(await getUpload(deps, viewer.id, id), lock);
    } finally {
      lock.release();
    }
  }

  /** Receives the bytes of a request. `releaseSlot` releases the slot in the upload queue. */
  async function receiveBytes(
    request: SignedInUploadRequest,
    upload: UploadRow,
    lock: UploadLock,
    releaseSlot: () => void,
  ): Promise<UploadProgress> {
    const { viewer, headers } = request;
    const checksum = parseChecksum(headers['upload-checksum']);
    if (Number(headers['content-length'] ?? 0) > upload.size - upload.received) throw errors.fileTooLarge();
    if (upload.photo_id !== null) {
      // The photo exists already, because the client did not receive the response to the last bytes and repeats the
      // request.
      const photo = await readDetail(viewer, upload.photo_id, false);
      return { upload, offset: upload.size, photo };
    }
    const body = openUploadBody(request.raw);
    lock.stop = body.stop;
    const { received, offset, rest } = await receiveUploadBytes(deps, upload, {
      body,
      checksum,
      confirm: () => request.confirmViewer(),
      onBytes: () => request.touchSession(),
    });
    try {
      if (offset < upload.size) return { upload, offset, photo: undefined };
      lock.isFinishing = true;
      const photo = await finishUpload(deps, request, { upload: { ...upload, received }, rest, releaseSlot });
      return { upload, offset, photo };
    } finally {
      await rest.discard();
    }
  }

  return {
    /**
     * Creates an upload, and receives bytes if the request has some. Throws photoExists, the errors that an upload by
     * form throws before its file arrives, and the errors of `append`.
     */
    async create(request: SignedInUploadRequest): Promise<UploadProgress> {
      const { viewer, headers } = request;
      refuseUnsupportedExtensions(headers);
      const size = readByteCountHeader(headers, 'Upload-Length');
      const { text, metadata } = parseUploadMetadata(headers['upload-metadata']);
      parseChecksum(headers['upload-checksum']);
      if (size > deps.config.maxUploadBytes)
        throw createFileTooLargeError({ maxBytes: deps.config.maxUploadBytes, setting: 'MAX_UPLOAD_MB' });
      await checkNew(deps, viewer, size, metadata);
      return withUploadSlot(request, async (releaseSlot) => {
        const id = createObjectKey();
        await createUpload(deps, { id, user_id: viewer.id, size, metadata: text });
        try {
          return await withLock(request, id, async (upload, lock) =>
            headers['content-type'] === uploadBytesMediaType
              ? receiveBytes(request, upload, lock, releaseSlot)
              : { upload, offset: 0, photo: undefined },
          );
        } catch (error) {
          // The client does not know the URL of the upload, so nobody could continue it.
          await deleteUpload(deps, id);
          throw error;
        }
      });
    },

    /**
     * Appends bytes to an upload. Throws uploadConflict, uploadLocked, checksumMismatch, fileTooLarge, and the errors
     * of `finishUpload`.
     */
    async append(request: SignedInUploadRequest, id: string): Promise<UploadProgress> {
      const start = readByteCountHeader(request.headers, 'Upload-Offset');
      return withUploadSlot(request, (releaseSlot) =>
        withLock(request, id, async (upload, lock) => {
          if (start !== upload.received) throw errors.uploadConflict();
          return receiveBytes(request, upload, lock, releaseSlot);
        }),
      );
    },

    /**
     * Returns the row of an upload. Stops an earlier request first, so that all bytes from a dead connection are
     * counted.
     */
    async find({ viewer }: SignedInUploadRequest, id: string): Promise<UploadRow> {
      await getUpload(deps, viewer.id, id);
      await locks.stopOther(id).catch(() => {});
      return getUpload(deps, viewer.id, id);
    },

    /** Deletes an unfinished upload. Throws uploadLocked if an earlier request continues. */
    end(request: SignedInUploadRequest, id: string): Promise<void> {
      return withLock(request, id, async ({ received, size }) => {
        if (received === size)
          throw errors.invalid({ message: 'The upload is complete. Delete its photo instead.' });
        await deleteUpload(deps, id);
      });
    },
  };
}

/** Waits for a slot in the upload queue. `work` may call `releaseSlot` more than once. */
async function withUploadSlot<Result>(
  request: SignedInUploadRequest,
  work: (releaseSlot: () => void) => Promise<Result>,
): Promise<Result> {
  const { uploads } = request.server.shared;
  const isSending = request.headers['content-type'] !== undefined;
  let release = isSending ? await uploads.acquire(requestCaller(request.viewer, request)) : undefined;
  const releaseSlot = () => {
    release?.();
    release = undefined;
  };
  try {
    return await work(releaseSlot);
  } finally {
    releaseSlot();
  }
}

async function checkNew(deps: Deps, viewer: Viewer, size: number, { sha256, album_id }: UploadMetadata) {
  if (size === 0) throw errors.unsupportedFormat({ message: 'The file is empty' });
  if (album_id) await getTargetAlbum(deps.db.kysely, viewer.id, album_id);
  const same = sha256 && (await findDuplicatePhoto(deps, viewer.id, sha256.toLowerCase()));
  if (same) throw errors.photoExists({ data: { id: same.id, album: await findAlbumOfPhoto(deps, same) } });
}

/** Returns the album of an existing photo, or null if the photo is in no album. */
async function findAlbumOfPhoto({ db }: Deps, { album_id }: SamePhoto) {
  if (album_id === null) return null;
  const found = await db.kysely
    .selectFrom('albums')
    .select(['id', 'name'])
    .where('id', '=', album_id)
    .executeTakeFirst();
  return found ?? null;
}
