/**
 * With STORAGE_REDIRECT, browsers fetch images from the store itself, by an address that soon expires. The viewer's
 * access is decided before. Some images are sent from here all the same: docs/adr/0013-object-storage.md.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { addVary } from '../../platform/http/vary.ts';
import { redirectCacheControl } from './caching.ts';
import type { ObjectToSend } from './send.ts';

/** Returns undefined if this server has to send the bytes. */
export function redirect(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { name, mime, vary, redirectable: access }: ObjectToSend,
): Promise<FastifyReply> | undefined {
  if (!storage.addressOf || !access) return undefined;
  // Clients take their token along, and stores refuse two proofs at once; an address is signed for GET alone.
  if (method !== 'GET' || headers.authorization !== undefined) return undefined;
  const now = clock();
  return storage.addressOf(name, { mime, now }).then(({ url, expires }) => {
    reply.header('cache-control', redirectCacheControl(access, expires, now));
    addVary(reply, vary);
    return reply.redirect(url, 302);
  });
}
