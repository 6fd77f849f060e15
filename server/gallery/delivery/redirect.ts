/**
 * With STORAGE_REDIRECT, browsers fetch images from the store itself, by an address that soon expires. Who may have
 * an image is decided before, as ever. Why some are sent from here all the same: docs/adr/0013-object-storage.md.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Access } from './access.ts';
import { redirectCacheControl } from './caching.ts';
import { addVary, type ObjectHeaders } from './send.ts';

export interface Redirectable {
  name: string;
  headers: ObjectHeaders;
  access: Access;
}

/** Undefined where the bytes are to be sent from here. */
export type SendElsewhere = (
  request: FastifyRequest,
  reply: FastifyReply,
  object: Redirectable,
) => Promise<FastifyReply> | undefined;

export function createSendElsewhere({ storage, clock }: Pick<Deps, 'storage' | 'clock'>): SendElsewhere {
  const { addressOf } = storage;
  if (!addressOf) return () => undefined;

  async function redirect(reply: FastifyReply, { name, headers, access }: Redirectable) {
    const now = clock();
    const { url, expires } = await addressOf!(name, { mime: headers.mime, now });
    reply.header('cache-control', redirectCacheControl(access, expires, now));
    addVary(reply, headers.vary);
    return reply.redirect(url, 302);
  }

  return (request, reply, object) => {
    // Clients take their token along, and stores refuse two proofs at once; an address is signed for GET alone.
    if (request.method !== 'GET' || request.headers.authorization !== undefined) return undefined;
    return redirect(reply, object);
  };
}
