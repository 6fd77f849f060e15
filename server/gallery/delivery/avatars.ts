/** Avatars: for everybody, as long as a user has them; of a disabled account for admins alone. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { prepare } from '../../platform/db/prepared.ts';
import { UserStatus } from '../../platform/db/states.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { type ObjectName, objectName } from '../../platform/storage/keys.ts';
import { createFindViewer } from '../accounts/sessions/sessions.ts';
import { byViewer, forEverybody, forToken } from './caching.ts';
import { mimeOf } from './objects.ts';
import { etagOf } from './ranges.ts';
import { createSendElsewhere } from './redirect.ts';
import { type RenditionCache, sendRendition } from './renditions.ts';

export function createServeAvatar(deps: Deps, renditions: RenditionCache) {
  const findOwner = prepare<{ status: number }>(deps.db, (query, arg) =>
    query.selectFrom('users').select('status').where('avatar', '=', arg<string>('avatar')).limit(sql.lit(1)),
  );
  const findViewer = createFindViewer(deps);

  const sendElsewhere = createSendElsewhere(deps);

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { key, kind, extension }: ObjectName,
  ): Promise<FastifyReply> => {
    const name = objectName(key, kind, extension);
    const headers = { etag: etagOf(name), mime: mimeOf(extension), cacheControl: forEverybody };
    const [owner] = await findOwner({ avatar: name });
    if (!owner) throw errors.notFound();
    if (owner.status === UserStatus.enabled) {
      const elsewhere = sendElsewhere(request, reply, { name, headers, access: { by: 'everybody' } });
      return elsewhere ?? sendRendition(request, reply, { renditions, deps, name, headers });
    }
    const viewer = await findViewer(request);
    if (!viewer?.isAdmin) throw errors.notFound();
    const ofDisabled = { ...headers, cacheControl: forToken, vary: byViewer };
    return sendRendition(request, reply, { renditions, deps, name, headers: ofDisabled });
  };
}
