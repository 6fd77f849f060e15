/** Avatars: for everybody, as long as a user wears them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { prepare, whenFound } from '../db/prepared.ts';
import type { Deps } from '../deps.ts';
import { errors } from '../http/errors.ts';
import { type ObjectName, objectName } from '../storage/keys.ts';
import { forEverybody } from './caching.ts';
import { etagOf } from './etag.ts';
import { mimeOf } from './mime.ts';
import { createSendElsewhere } from './redirect.ts';
import type { RenditionCache } from './rendition-cache.ts';
import { sendRendition } from './renditions.ts';

export function createServeAvatar(deps: Deps, renditions: RenditionCache) {
  const findWearer = prepare<{ id: number }>(deps.db, (query, arg) =>
    query.selectFrom('users').select('id').where('avatar', '=', arg<string>('avatar')).limit(1),
  );

  const sendElsewhere = createSendElsewhere(deps);

  return (request: FastifyRequest, reply: FastifyReply, { key, kind, extension }: ObjectName) => {
    const name = objectName(key, kind, extension);
    const headers = { etag: etagOf(name), mime: mimeOf(extension), cacheControl: forEverybody };
    const answer = (wearers: { id: number }[]) => {
      if (wearers.length === 0) throw errors.notFound();
      const elsewhere = sendElsewhere(request, reply, { name, headers, access: { by: 'everybody' } });
      return elsewhere ?? sendRendition(request, reply, { renditions, name, headers });
    };
    return whenFound(findWearer({ avatar: name }), answer);
  };
}
