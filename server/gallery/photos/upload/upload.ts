/**
 * Uploads a photo: receives the file, checks and renders it, stores its objects and inserts its row. The response is
 * sent after all data is on the disk.
 */

import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { DatabaseUnavailable } from '../../../platform/db/dialect.ts';
import type { Visibility } from '../../../platform/db/states.ts';
import { runWhileConnected } from '../../../platform/http/abandoned.ts';
import { readUploadForm, type UploadForm } from '../../../platform/http/upload-form.ts';
import { createFormCheck } from '../../../platform/http/validation.ts';
import type { ImagingJobOptions } from '../../../platform/imaging/imaging.ts';
import { createObjectKey, objectName } from '../../../platform/storage/keys.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { readRequestedLevel } from '../../library/level-fields.ts';
import { cleanTags, splitTags } from '../../library/tags.ts';
import { UploadFields } from '../schema.ts';
import { safeFileName } from './file-name.ts';
import { fillPhotoTexts, readFileFacts } from './fill-texts.ts';
import { insertPhoto, type NewPhoto } from './insert.ts';
import { readPicture, type UploadedPicture } from './picture.ts';

const checkFields = createFormCheck(UploadFields);

export interface UploadedPhoto {
  id: number;
  key: string;
  visibility: Visibility;
  title: string;
  size: number;
  picture: UploadedPicture;
}

/**
 * Receives a photo from the form of a request, and saves the photo. Throws invalid, unsupportedFormat, fileTooLarge, quotaExceeded, albumNotFound,
 * albumForbidden or busy. After an error, no row, object or temporary file remains.
 */
export async function receivePhotoForm(
  deps: Deps,
  viewer: Viewer,
  request: FastifyRequest,
): Promise<UploadedPhoto> {
  const form = await readUploadForm(request, deps, {
    limit: { maxBytes: deps.config.maxUploadBytes, setting: 'MAX_UPLOAD_MB' },
    check: checkFields,
  });
  try {
    return await runWhileConnected(request, (signal) => saveUploadForm(deps, viewer, form, signal));
  } finally {
    await form.file.discard();
  }
}

async function saveUploadForm(
  deps: Deps,
  viewer: Viewer,
  form: UploadForm<UploadFields>,
  signal: AbortSignal,
): Promise<UploadedPhoto> {
  const { fields } = form;
  const text = {
    title: fields.title ?? '',
    description: fields.description ?? '',
    tags: cleanTags(splitTags(fields.tags ?? '')),
    level: readRequestedLevel(fields),
    albumId: fields.album_id || undefined,
    facts: readFileFacts(fields),
    xmp: fields.xmp,
  };
  return savePhoto(deps, viewer, form, text, { signal });
}

/** A file that was received completely. The caller discards the temporary file. */
export type ReceivedFile = Pick<UploadForm<unknown>, 'file' | 'size' | 'sha256' | 'fileName'>;

/** Texts and settings that the owner gives a photo, with checked lengths. */
export interface UploadedPhotoDetails
  extends Omit<NewPhoto, 'key' | 'fileName' | 'size' | 'sha256' | 'picture' | 'objects'> {
  /** Content of an XMP file beside the photo. */
  xmp?: string | undefined;
  /** Whether empty texts stay empty, as in an export. Otherwise the file's metadata fills them. */
  isComplete?: boolean;
}

/**
 * Makes a photo of a received file. Throws ImageError for a file that is not a picture, quotaExceeded, albumNotFound,
 * albumForbidden, busy or badToken. After an error, no row or object remains.
 */
export async function savePhoto(
  deps: Deps,
  viewer: Viewer,
  received: ReceivedFile,
  text: UploadedPhotoDetails,
  request: Pick<ImagingJobOptions, 'signal'> = {},
): Promise<UploadedPhoto> {
  const { sha256 } = received;
  const sidecar = text.xmp ? { sidecar: await deps.imaging.xmp(Buffer.from(text.xmp), request) } : {};
  const facts = { ...text.facts, ...sidecar, name: received.fileName, now: deps.clock() };
  const picture = await readPicture(deps, received.file.path, { ...request, contentId: sha256, facts });
  const filled = fillPhotoTexts(text, received.fileName, picture.exif);
  const key = createObjectKey();
  const objects = await storeObjects(deps, key, received, picture);
  const { size } = received;
  try {
    const { id, visibility } = await insertPhoto(deps, viewer, {
      ...filled,
      facts,
      key,
      fileName: safeFileName(received.fileName),
      size,
      sha256,
      picture,
      objects,
    });
    return { id, key, visibility, title: filled.title, size, picture };
  } catch (error) {
    await removeUncommittedObjects(deps, objects, error);
    throw error;
  }
}

async function storeObjects(
  { storage }: Deps,
  key: string,
  received: ReceivedFile,
  picture: UploadedPicture,
): Promise<string[]> {
  const { thumb, preview, full } = picture.renditions;
  const objects = [
    {
      name: objectName(key, 'original', picture.inspection.extension),
      source: received.file,
      sha256: received.sha256,
    },
    { name: objectName(key, 'preview', preview.extension), source: preview.data },
    { name: objectName(key, 'thumb', thumb.extension), source: thumb.data },
    ...(full ? [{ name: objectName(key, 'full', full.extension), source: full.data }] : []),
  ];
  await storage.put(objects);
  return objects.map(({ name }) => name);
}

/**
 * Removes the objects of a photo after an error. If the connection was lost during the commit, the row may exist, so
 * the objects stay until the maintenance run can decide.
 */
export async function removeUncommittedObjects(deps: Deps, names: string[], error: unknown): Promise<void> {
  const isCommitUnknown = error instanceof DatabaseUnavailable && error.mayHaveCommitted;
  if (!isCommitUnknown) await removeObjects(deps, names);
}

/** Removes objects. An object that cannot be removed now is an orphan, which the maintenance run deletes later. */
async function removeObjects({ storage, log }: Deps, names: string[]): Promise<void> {
  await Promise.all(
    names.map((name) =>
      storage
        .remove(name)
        .catch((error: unknown) =>
          log.warn({ err: error, name }, 'an object of a failed upload could not be deleted'),
        ),
    ),
  );
}
