/**
 * Redirects browsers to the object store if STORAGE_REDIRECT is set, with a URL that soon expires. The
 * viewer's access is checked before. This server still sends some images itself: docs/adr/0013-object-storage.md.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { addVary } from '../../platform/http/vary.ts';
import { readBearer } from '../identity/tokens.ts';
import { redirectCacheControl } from './caching.ts';
import type { ObjectToSend } from './send.ts';

/** Redirects the request to the store, or returns undefined if this server must send the bytes. */
export function redirectToStorage(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { name, mime, vary, redirectable: access }: ObjectToSend,
): Promise<FastifyReply> | undefined {
  if (!storage.signAddress || !access) return undefined;
  // Do not redirect requests with a token: clients repeat the token after a redirect, and stores refuse requests
  // with two credentials. The URL is signed for GET only.
  if (method !== 'GET' || readBearer(headers.authorization) !== undefined) return undefined;
  const now = clock();
  return storage.signAddress(name, { mime, now }).then(({ url, expires }) => {
    reply.header('cache-control', redirectCacheControl(access, expires, now));
    addVary(reply, vary);
    return reply.redirect(url, 302);
  });
}
