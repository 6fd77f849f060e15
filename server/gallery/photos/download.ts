/** Downloads of photos. The owner gets the uploaded bytes, and everyone else gets a copy without metadata. */
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { ImageRow, PhotoRow } from '../../platform/db/tables.ts';
import type { CleanPart } from '../../platform/imaging/clean/clean.ts';
import { objectName } from '../../platform/storage/keys.ts';
import { mimeOf } from '../delivery/objects.ts';
import { createEtag } from '../delivery/ranges.ts';
import type { ObjectToSend } from '../delivery/send.ts';
import { sendObject } from '../delivery/stream.ts';
import type { Viewer } from '../identity/viewer.ts';
import { isOwner } from '../library/permissions.ts';
import { getImageVersion } from './edit/steps.ts';
import { getVisiblePhoto } from './store.ts';
import { downloadName } from './upload/file-name.ts';

/** Sends the download of a photo. Throws photoNotFound or photoForbidden. */
export function sendDownload(
  deps: Deps,
  photoId: number,
  request: FastifyRequest & { viewer: Viewer },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { viewer } = request;
  return sendPhoto(deps, viewer, { find: () => getVisiblePhoto(deps, viewer, photoId) }, request, reply);
}

interface PhotoToSend {
  /**
   * Finds the photo again at each check. Throws an error if the viewer cannot see the photo; an anonymous viewer is
   * undefined.
   */
  find(): Promise<PhotoRow>;
  /** Optional callback before the first byte of a download. Throws an error to refuse the download. */
  admit?: () => Promise<void>;
}

export function sendPhoto(
  deps: Deps,
  viewer: Viewer | undefined,
  { find, admit }: PhotoToSend,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const decide = async () => objectFor(deps, viewer, await find());
  return sendObject(request, reply, deps, decide, admit);
}

async function objectFor(deps: Deps, viewer: Viewer | undefined, photo: PhotoRow): Promise<ObjectToSend> {
  const image = await getImageVersion(deps, photo.image_key);
  const { extension, ...file } = chooseDownloadFile(viewer, photo, image);
  return {
    ...file,
    // The response must not be cached, because its bytes depend on the viewer and each download is counted.
    cacheControl: 'private, no-store',
    disposition: contentDisposition(downloadName(photo, extension, isOwner(viewer, photo))),
  };
}

/** Returns true if bytes of the file were sent, and false after an early disconnect or an error response. */
export function wereFileBytesSent({ raw }: FastifyReply): boolean {
  return raw.headersSent && raw.statusCode < 400;
}

/**
 * Returns true if the response starts a download. HEAD requests, 304 responses and later parts of a resumed download do
 * not count.
 */
export function didStartDownload(request: FastifyRequest, reply: FastifyReply): boolean {
  return wereFileBytesSent(reply) && willStartDownload(request, reply);
}

/** Returns true if the response that is about to be sent starts a download. */
export function willStartDownload({ method }: FastifyRequest, reply: FastifyReply): boolean {
  if (method !== 'GET') return false;
  if (reply.statusCode === 200) return true;
  return reply.statusCode === 206 && String(reply.getHeader('content-range')).startsWith('bytes 0-');
}

type FileToSend = Pick<ObjectToSend, 'name' | 'etag' | 'mime' | 'parts'> & { extension: string };

/**
 * Chooses the file that a viewer gets when downloading a photo; an anonymous viewer is undefined. The caller must check
 * that the viewer can see the photo.
 */
export function chooseDownloadFile(
  viewer: Viewer | undefined,
  photo: Pick<PhotoRow, 'user_id' | 'visibility'>,
  image: Pick<ImageRow, 'key' | 'kind' | 'extension' | 'mime' | 'full_extension' | 'clean_parts'>,
): FileToSend {
  const { key, extension, mime } = image;
  const kind = image.kind === 'edit' ? 'edit' : 'original';
  const name = objectName(key, kind, extension);
  if (kind === 'edit') return { name, extension, mime, etag: createEtag(name) };
  if (isOwner(viewer, photo)) return { name, extension, mime, etag: createEtag(name, '.raw') };
  if (image.clean_parts) {
    return {
      name,
      extension,
      mime,
      etag: createEtag(name),
      parts: JSON.parse(image.clean_parts) as CleanPart[],
    };
  }
  const full = objectName(key, 'full', image.full_extension);
  return {
    name: full,
    extension: image.full_extension,
    mime: mimeOf(image.full_extension),
    etag: createEtag(full),
  };
}
