/**
 * With STORAGE_REDIRECT, browsers fetch images from the store itself, by an address that soon expires. Who may have
 * an image is decided before, as ever. Why some are sent from here all the same: docs/adr/0013-object-storage.md.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { addVary } from '../../platform/http/vary.ts';
import type { Access } from './access.ts';
import { redirectCacheControl } from './caching.ts';
import type { ObjectHeaders } from './send.ts';

interface Redirectable {
  name: string;
  headers: ObjectHeaders;
  access: Access;
}

/** What it makes returns undefined where the bytes are to be sent from here. */
export function createSendElsewhere({ storage, clock }: Pick<Deps, 'storage' | 'clock'>) {
  const { addressOf } = storage;

  async function redirect(reply: FastifyReply, { name, headers, access }: Redirectable) {
    const now = clock();
    const { url, expires } = await addressOf!(name, { mime: headers.mime, now });
    reply.header('cache-control', redirectCacheControl(access, expires, now));
    addVary(reply, headers.vary);
    return reply.redirect(url, 302);
  }

  return (request: FastifyRequest, reply: FastifyReply, object: Redirectable) => {
    if (!addressOf) return undefined;
    // Clients take their token along, and stores refuse two proofs at once; an address is signed for GET alone.
    if (request.method !== 'GET' || request.headers.authorization !== undefined) return undefined;
    return redirect(reply, object);
  };
}
