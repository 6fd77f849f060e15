/** Downloads: the uploaded bytes for the owner, a copy without metadata for everybody else. */
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { ImageRow, PhotoRow } from '../../platform/db/tables.ts';
import type { Part } from '../../platform/imaging/clean/clean.ts';
import { objectName } from '../../platform/storage/keys.ts';
import { mimeOf } from '../delivery/objects.ts';
import { etagOf } from '../delivery/ranges.ts';
import type { ObjectToSend } from '../delivery/send.ts';
import { sendObject } from '../delivery/stream.ts';
import type { Viewer } from '../identity/viewer.ts';
import { isOwner } from '../library/permissions.ts';
import { getImage } from './edit/steps.ts';
import { getVisiblePhoto } from './store.ts';
import { downloadName } from './upload/file-name.ts';

/** Throws photoNotFound or photoForbidden. */
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
  /** Throws where the viewer, undefined for an anonymous one, may not see the photo. */
  find(): Promise<PhotoRow>;
  /** As of `sendObject`. */
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
  const image = await getImage(deps, photo.image_key);
  const { extension, ...file } = fileFor(viewer, photo, image);
  return {
    ...file,
    // Who asks decides what is sent, and each download is counted.
    cacheControl: 'private, no-store',
    disposition: contentDisposition(downloadName(photo, extension, isOwner(viewer, photo))),
  };
}

/** Whether bytes of a file have left: not where the client had gone, or an error was answered instead. */
export function isSent({ raw }: FastifyReply): boolean {
  return raw.headersSent && raw.statusCode < 400;
}

/** Whether a download began with what was sent: no HEAD, no 304, and not the rest of a resumed one. */
export function isDownload(request: FastifyRequest, reply: FastifyReply): boolean {
  return isSent(reply) && isFromStart(request, reply);
}

/** Of an answer that is about to be sent, whether a download begins with it. */
export function isFromStart({ method }: FastifyRequest, reply: FastifyReply): boolean {
  if (method !== 'GET') return false;
  if (reply.statusCode === 200) return true;
  return reply.statusCode === 206 && String(reply.getHeader('content-range')).startsWith('bytes 0-');
}

type FileToSend = Pick<ObjectToSend, 'name' | 'etag' | 'mime' | 'parts'> & { extension: string };

/** Which bytes of a photo the viewer gets; undefined is anonymous. Does not check whether they may see it. */
export function fileFor(
  viewer: Viewer | undefined,
  photo: Pick<PhotoRow, 'user_id' | 'visibility'>,
  image: Pick<ImageRow, 'key' | 'kind' | 'extension' | 'mime' | 'full_extension' | 'clean_parts'>,
): FileToSend {
  const { key, extension, mime } = image;
  const kind = image.kind === 'edit' ? 'edit' : 'original';
  const name = objectName(key, kind, extension);
  if (kind === 'edit') return { name, extension, mime, etag: etagOf(name) };
  if (isOwner(viewer, photo)) return { name, extension, mime, etag: etagOf(name, '.raw') };
  if (image.clean_parts) {
    return { name, extension, mime, etag: etagOf(name), parts: JSON.parse(image.clean_parts) as Part[] };
  }
  const full = objectName(key, 'full', image.full_extension);
  return {
    name: full,
    extension: image.full_extension,
    mime: mimeOf(image.full_extension),
    etag: etagOf(full),
  };
}
