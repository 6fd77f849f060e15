/**
 * Serves avatars to everyone, or to members in a gallery for members. Avatars of a disabled account are visible only to
 * admins, and former avatars to nobody.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { prepareRead } from '../../platform/db/prepared.ts';
import { UserStatus } from '../../platform/db/states.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { type ObjectName, objectName } from '../../platform/storage/keys.ts';
import { membersOnlyColumn } from '../identity/members-only.ts';
import { createFindViewer } from '../identity/sessions.ts';
import { createFindAvatarAccess } from './access.ts';
import {
  chooseCacheControl,
  publicImageCacheControl,
  tokenImageCacheControl,
  viewerVaryHeaders,
} from './caching.ts';
import { mimeOf } from './objects.ts';
import { createEtag } from './ranges.ts';
import { redirectToStorage } from './redirect.ts';
import { type RenditionCache, sendRendition } from './renditions.ts';
import { type ObjectToSend, sendIfNotModified } from './send.ts';
import { readPathGrant } from './signatures.ts';

export function createServeAvatar(deps: Deps, renditions: RenditionCache) {
  const findOwner = prepareRead<{ status: number; members_only: number }>(deps.db, (query, arg) =>
    query
      .selectFrom('users')
      .select('status')
      .select(membersOnlyColumn(deps.config))
      .where('avatar', '=', arg<string>('avatar'))
      .limit(sql.lit(1)),
  );
  const findViewer = createFindViewer(deps);
  const findAccess = createFindAvatarAccess(deps);

  async function findAvatar(request: FastifyRequest, name: string, extension: string): Promise<ObjectToSend> {
    const [owner] = await findOwner({ avatar: name });
    if (!owner) throw errors.notFound();
    const avatar = { name, etag: createEtag(name), mime: mimeOf(extension) };
    const isEnabled = owner.status === UserStatus.enabled;
    if (isEnabled && owner.members_only === 0) {
      return { ...avatar, cacheControl: publicImageCacheControl, redirectable: { by: 'everybody' } };
    }
    const viewer = await findViewer(request);
    if (!isEnabled) {
      if (!viewer?.isAdmin) throw errors.notFound();
      return { ...avatar, cacheControl: tokenImageCacheControl, vary: viewerVaryHeaders };
    }
    const now = deps.clock();
    const access = await findAccess({ viewer, grant: readPathGrant(name, request.query, now, deps.secret) });
    if (!access) throw errors.notFound();
    return {
      ...avatar,
      cacheControl: chooseCacheControl(access, now),
      vary: viewerVaryHeaders,
      redirectable: access,
    };
  }

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { key, kind, extension }: ObjectName,
  ): Promise<FastifyReply> => {
    const decide = () => findAvatar(request, objectName(key, kind, extension), extension);
    const object = await decide();
    if (sendIfNotModified(request, reply, object)) return reply;
    return (
      redirectToStorage(request, reply, deps, object) ??
      sendRendition(request, reply, { renditions, deps, object, decide })
    );
  };
}
