/** Serves images of photos: finds the row by the key in the path, checks access, and sends the bytes. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { type ObjectKind, type ObjectName, objectName } from '../../platform/storage/keys.ts';
import { createFindViewer } from '../identity/sessions.ts';
import { readBearer } from '../identity/tokens.ts';
import { isOwner, isTrashed } from '../library/permissions.ts';
import {
  createFindImageAccess,
  type ImageAccessReason,
  type ImageRequester,
  isPhotoForEveryone,
} from './access.ts';
import { chooseCacheControl, ownerOriginalCacheControl, viewerVaryHeaders } from './caching.ts';
import { type ImageAccessRow, prepareFindCleanParts, prepareFindImage } from './image-rows.ts';
import { extensionOf, mimeOf } from './objects.ts';
import { createEtag } from './ranges.ts';
import { redirectToStorage } from './redirect.ts';
import { type RenditionCache, sendRendition } from './renditions.ts';
import { type ObjectToSend, sendIfNotModified } from './send.ts';
import { createSendImageSize } from './send-size.ts';
import { readPathGrant } from './signatures.ts';
import {
  buildSizeName,
  buildSizeSignatureText,
  canRenderFromPreview,
  chooseStoredSize,
  hasRenderedSize,
  parseSizeName,
  type RenderedSizeSpec,
} from './sizes.ts';
import { sendObject } from './stream.ts';

const openAccess: ImageAccessReason = { by: 'everybody' };
const anonymousRequester: ImageRequester = { viewer: undefined, grant: undefined };

interface ImageRequest {
  request: FastifyRequest;
  name: string;
  kind: ObjectKind;
  extension: string;
  image: ImageAccessRow;
  /** Size that the request names, or undefined for a request for another kind of image. */
  size: RenderedSizeSpec | undefined;
}

export function createServeImage(deps: Deps, renditions: RenditionCache) {
  const { clock } = deps;
  const findImage = prepareFindImage(deps);
  const findCleanParts = prepareFindCleanParts(deps);
  const findViewer = createFindViewer(deps);
  const findAccess = createFindImageAccess(deps);
  const sendSize = createSendImageSize(deps, renditions);

  /** Finds the image of a request. Throws photoNotFound if the image does not exist or is gone. */
  async function find(request: FastifyRequest, { key, kind, extension }: ObjectName): Promise<ImageRequest> {
    const [image] = await findImage({ key });
    if (!image || isUnavailable(image, kind, clock())) throw errors.photoNotFound();
    const wanted = parseSizeName(kind, extension);
    if (!wanted && extensionOf(image, kind) !== extension) throw errors.photoNotFound();
    const size = wanted && chooseStoredSize(image, wanted);
    const name = size ? buildSizeName(key, size) : objectName(key, kind, extension);
    return { request, name, kind, extension, image, size };
  }

  /** Returns the requester's access to an image. Throws photoNotFound or photoForbidden. */
  async function findAccessTo(asked: ImageRequest): Promise<ImageRequester & { access: ImageAccessReason }> {
    if (isSameForEveryone(asked)) return { ...anonymousRequester, access: openAccess };
    const { request, name, kind, image, size } = asked;
    const viewer = await findViewer(request);
    const now = clock();
    const grant = readPathGrant(
      size ? buildSizeSignatureText(image.key) : name,
      request.query,
      now,
      deps.secret,
    );
    const end = publicUntil(image);
    const isFormer = end !== null && end <= now;
    const isLarge = size ? !canRenderFromPreview(image, size) : !isSmall(kind);
    const found = await findAccess(image, { viewer, grant }, { isFormer, isLarge });
    const access = found && !isFormer ? limitAccess(found, end) : found;
    if (!access) throw isTrashed(image) ? errors.photoNotFound() : errors.photoForbidden();
    return { access, viewer, grant };
  }

  async function decide(request: FastifyRequest, object: ObjectName) {
    const asked = await find(request, object);
    const { access, ...requester } = await findAccessTo(asked);
    return { object: objectFor(asked, access, clock()), asked, requester };
  }

  async function decideLarge(request: FastifyRequest, wanted: ObjectName): Promise<ObjectToSend> {
    const { object, asked, requester } = await decide(request, wanted);
    if (asked.kind !== 'original') return object;
    if (isOwner(requester.viewer, asked.image)) return rawOriginal(object);
    const parts = await findCleanParts(asked.image.key);
    // A format that cannot be cleaned is visible only as its `full` rendition, except to the owner.
    if (parts === null) throw errors.photoForbidden();
    return { ...object, parts };
  }

  async function serveSmall(request: FastifyRequest, reply: FastifyReply, wanted: ObjectName) {
    const { object, asked, requester } = await decide(request, wanted);
    if (sendIfNotModified(request, reply, object)) return reply;
    const { image, size } = asked;
    const decideAgain = async () => (await decide(request, wanted)).object;
    const make =
      size &&
      ((isLost: boolean) =>
        sendSize({ request, reply, image, size, decide: decideAgain }, requester, isLost));
    if (make && !hasRenderedSize(image, size)) return make(false);
    const elsewhere = redirectToStorage(request, reply, deps, object);
    const otherwise = make && (() => make(true));
    return (
      elsewhere ?? sendRendition(request, reply, { renditions, deps, object, decide: decideAgain, otherwise })
    );
  }

  return (request: FastifyRequest, reply: FastifyReply, wanted: ObjectName): Promise<FastifyReply> =>
    isSmall(wanted.kind)
      ? serveSmall(request, reply, wanted)
      : sendObject(request, reply, deps, () => decideLarge(request, wanted));
}

/**
 * Returns whether everyone can see the image, without an end, and receives the same bytes. Such a request needs no
 * look-up of the viewer.
 */
function isSameForEveryone(asked: ImageRequest): boolean {
  return isPhotoForEveryone(asked.image) && publicUntil(asked.image) === null && !namesViewer(asked);
}

/**
 * Returns whether the request names a viewer in a way that matters. A cookie matters only for originals, because
 * every viewer receives the same bytes of other images.
 */
function namesViewer({ request: { headers }, kind }: ImageRequest): boolean {
  return (
    readBearer(headers.authorization) !== undefined || (kind === 'original' && headers.cookie !== undefined)
  );
}

/**
 * Returns whether the image is gone. A replaced version goes when it expires. In the trash, everything but the
 * small images for the trash list is gone.
 */
function isUnavailable(image: ImageAccessRow, kind: ObjectKind, now: number): boolean {
  const { expire_time } = image;
  return (isTrashed(image) && !isSmall(kind)) || (expire_time !== null && expire_time <= now);
}

/**
 * Returns the time until which everyone who sees the photo can also see this image, or null without an end. After
 * an edit has replaced the image, an edited version expires, and an original stays for the owner and admins.
 */
function publicUntil({ expire_time, private_time }: ImageAccessRow): number | null {
  return expire_time ?? private_time;
}

/** Limits how long caches can store an image whose access will end. */
function limitAccess(access: ImageAccessReason, end: number | null): ImageAccessReason {
  if (end === null || access.by === 'token') return access;
  if (access.by === 'cookie') return { by: 'token' };
  return { ...access, expires: Math.min(access.expires ?? end, end) };
}

/** Returns whether images of this kind are small: thumbnails, previews and sizes, but not full pictures. */
function isSmall(kind: ObjectKind): boolean {
  return kind !== 'original' && kind !== 'edit' && kind !== 'full';
}

function objectFor(
  { name, kind, extension, image }: ImageRequest,
  access: ImageAccessReason,
  now: number,
): ObjectToSend {
  const isFile = kind === 'original' || kind === 'edit';
  const isLasting = publicUntil(image) === null;
  return {
    name,
    etag: createEtag(name),
    mime: isFile ? image.mime : mimeOf(extension),
    cacheControl: chooseCacheControl(access, now),
    // Responses vary by viewer: the bytes of an original depend on the viewer, and access to a private image
    // depends on the token.
    ...((kind === 'original' || !isPhotoForEveryone(image) || !isLasting) && { vary: viewerVaryHeaders }),
    // An original needs a clean copy, which only this server creates. A URL in the store must not outlive the
    // access to an image that will end.
    ...(kind !== 'original' && isLasting && { redirectable: access }),
  };
}

function rawOriginal(object: ObjectToSend): ObjectToSend {
  return { ...object, etag: createEtag(object.name, '.raw'), cacheControl: ownerOriginalCacheControl };
}
