/** A photo's images: find the row behind the key, ask who may see it, send what that person gets. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { callerOf } from '../../platform/connections/address.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { type ObjectKind, type ObjectName, objectName } from '../../platform/storage/keys.ts';
import { createFindViewer } from '../accounts/sessions/sessions.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { isOwner, isPublic, isTrashed } from '../library/permissions.ts';
import { type Access, createFindAccess, type Who } from './access.ts';
import { byViewer, cacheControlFor, forEverybody, forOwner } from './caching.ts';
import { type GuardedImage, prepareCleanParts, prepareImage } from './image-rows.ts';
import { extensionOf, mimeOf } from './objects.ts';
import { etagOf } from './ranges.ts';
import { createSendElsewhere } from './redirect.ts';
import { type RenditionCache, sendRendition } from './renditions.ts';
import { type ObjectHeaders, type ObjectToSend, sendNotModified, sendObject, whenGone } from './send.ts';
import { createSendSize } from './send-size.ts';
import { readGrant } from './signatures.ts';
import { allSizes, findSize, fittingSize, hasSize, isOfPreview, type Size, sizeName } from './sizes.ts';

const openAccess: Access = { by: 'everybody' };

interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  name: string;
  kind: ObjectKind;
  extension: string;
  image: GuardedImage;
  /** Where it is one that is made on demand. */
  size: Size | undefined;
}

/** What was decided of a large file: nothing is sent yet. */
interface Decided {
  object: ObjectToSend;
  /** By which the store may send it; undefined where it must be sent from here. */
  elsewhere: Access | undefined;
}

const nobody: Who = { viewer: undefined, grant: undefined };

export function createServeImage(deps: Deps, renditions: RenditionCache) {
  const findImage = prepareImage(deps);
  const findCleanParts = prepareCleanParts(deps);
  const findViewer = createFindViewer(deps);
  const findAccess = createFindAccess(deps);
  const sendElsewhere = createSendElsewhere(deps);
  const sendSize = createSendSize(deps, renditions);

  function serve(asked: Asked): Promise<FastifyReply | Decided> {
    const { kind } = asked;
    if (!isPlain(asked)) return serveGuarded(asked);
    if (!isSmall(kind)) return decideLarge(asked, openAccess, undefined);
    return sendSmall(asked, openAccess, headersOf(asked, forEverybody), nobody);
  }

  async function sendSmall(
    asked: Asked,
    access: Access,
    headers: ObjectHeaders,
    who: Who,
  ): Promise<FastifyReply> {
    const { request, reply, name, image, size } = asked;
    if (sendNotModified(request, reply, headers)) return reply;
    const again = async () => ({ name, ...(await headersNow(asked)) });
    const make = size && ((isLost: boolean) => sendSize({ request, reply, image, size, again }, who, isLost));
    if (make && !hasSize(image, size)) return make(false);
    const elsewhere = isKept(asked) && sendElsewhere(request, reply, { name, headers, access });
    const otherwise = make && (() => make(true));
    return elsewhere || sendRendition(request, reply, { renditions, deps, name, headers, otherwise, again });
  }

  /** Of what had to wait, a large preview or a size that was made: decided again. */
  async function headersNow(before: Asked): Promise<ObjectHeaders> {
    const [image] = await findImage({ key: before.image.key });
    if (!image || isGone(image, before.kind, deps.clock())) throw errors.photoNotFound();
    const asked = { ...before, image };
    if (isPlain(asked)) return headersOf(asked, forEverybody);
    const { access } = await decideGuarded(asked);
    return headersOf(asked, cacheControlFor(access, deps.clock()));
  }

  async function serveGuarded(asked: Asked): Promise<FastifyReply | Decided> {
    const { access, viewer, grant } = await decideGuarded(asked);
    if (!isSmall(asked.kind)) return decideLarge(asked, access, viewer);
    return sendSmall(asked, access, headersOf(asked, cacheControlFor(access, deps.clock())), {
      viewer,
      grant,
    });
  }

  async function decideGuarded(asked: Asked): Promise<Who & { access: Access }> {
    const { request, name, kind, image, size } = asked;
    const viewer = await findViewer(request);
    const now = deps.clock();
    const grant = readGrant(size ? allSizes(image.key) : name, request.query, now, deps.secret);
    const end = endOf(image);
    const isFormer = end !== null && end <= now;
    const found = await findAccess(
      image,
      { viewer, grant, isLarge: size ? !isOfPreview(image, size) : !isSmall(kind) },
      isFormer,
    );
    const access = found && !isFormer ? endingAt(found, end) : found;
    if (!access) throw isTrashed(image) ? errors.photoNotFound() : errors.photoForbidden();
    return { access, viewer, grant };
  }

  async function decideLarge(asked: Asked, access: Access, viewer: Viewer | undefined): Promise<Decided> {
    const { name, kind, image } = asked;
    if (kind === 'original' && isOwner(viewer, image)) {
      const headers = { ...headersOf(asked, forOwner), etag: etagOf(name, '.raw') };
      return { object: { name, ...headers }, elsewhere: undefined };
    }
    const headers = headersOf(asked, cacheControlFor(access, deps.clock()));
    const parts = kind === 'original' ? await findCleanParts(image.key) : undefined;
    // Formats that cannot be cleaned are shown by their `full` rendition.
    if (parts === null) throw errors.photoForbidden();
    const object = { name, ...headers, ...(parts && { parts }) };
    return { object, elsewhere: !parts && isKept(asked) ? access : undefined };
  }

  async function findAndServe(
    request: FastifyRequest,
    reply: FastifyReply,
    { key, kind, extension }: ObjectName,
  ): Promise<FastifyReply | Decided> {
    const [image] = await findImage({ key });
    if (!image || isGone(image, kind, deps.clock())) throw errors.photoNotFound();
    const wanted = findSize(kind, extension);
    if (!wanted && extensionOf(image, kind) !== extension) throw errors.photoNotFound();
    const size = wanted && fittingSize(image, wanted);
    const name = size ? sizeName(key, size) : objectName(key, kind, extension);
    return serve({ request, reply, name, kind, extension, image, size });
  }

  /** Of one client's large files a few at a time are asked for here, too, as of the storage: see `sendObject`. */
  async function serveLarge(request: FastifyRequest, reply: FastifyReply, object: ObjectName) {
    const caller = callerOf(undefined, request);
    const find = () => findAndServe(request, reply, object) as Promise<Decided>;
    const gone = whenGone(reply);
    const decide = () => request.server.shared.lookups.with(caller, find, gone);
    const { object: found, elsewhere: access } = await decide();
    if (sendNotModified(request, reply, found)) return reply;
    const { name, ...headers } = found;
    const elsewhere = access && sendElsewhere(request, reply, { name, headers, access });
    const again = async () => (await decide()).object;
    return elsewhere || sendObject(request, reply, deps, found, { again });
  }

  return async (request: FastifyRequest, reply: FastifyReply, object: ObjectName): Promise<FastifyReply> =>
    isSmall(object.kind)
      ? (findAndServe(request, reply, object) as Promise<FastifyReply>)
      : serveLarge(request, reply, object);
}

/** Everybody may have it, now and later, and all of them the same. */
function isPlain(asked: Asked): boolean {
  return isPublic(asked.image) && endOf(asked.image) === null && !namesViewer(asked);
}

/** A cookie decides nothing where all viewers get the same. */
function namesViewer({ request: { headers }, kind }: Asked): boolean {
  return headers.authorization !== undefined || (kind === 'original' && headers.cookie !== undefined);
}

/** In the trash (but for what its list shows), or a version that another has replaced for long enough. */
function isGone(image: GuardedImage, kind: ObjectKind, now: number): boolean {
  const { expire_time } = image;
  return (isTrashed(image) && !isSmall(kind)) || (expire_time !== null && expire_time <= now);
}

/**
 * Until when everybody who may see the photo has this image of it, null without an end: an edit has replaced it. From
 * then on an edited version is gone, and an original is for its owner and admins alone.
 */
function endOf({ expire_time, private_time }: GuardedImage): number | null {
  return expire_time ?? private_time;
}

/** Caches keep it no longer than that. */
function endingAt(access: Access, end: number | null): Access {
  if (end === null || access.by === 'token') return access;
  if (access.by === 'cookie') return { by: 'token' };
  return { ...access, expires: Math.min(access.expires ?? end, end) };
}

/** Whether it may be fetched from the store: an address of it there must not outlive it here. */
function isKept({ image }: Asked): boolean {
  return endOf(image) === null;
}

/** Sizes, too. */
function isSmall(kind: ObjectKind): boolean {
  return kind !== 'original' && kind !== 'edit' && kind !== 'full';
}

function headersOf({ name, kind, extension, image }: Asked, cacheControl: string): ObjectHeaders {
  const isFile = kind === 'original' || kind === 'edit';
  return {
    etag: etagOf(name),
    mime: isFile ? image.mime : mimeOf(extension),
    cacheControl,
    // An original's bytes differ by who asks; what is private, by whether the token is there.
    ...((kind === 'original' || !isPublic(image) || endOf(image) !== null) && {
      vary: byViewer,
    }),
  };
}
