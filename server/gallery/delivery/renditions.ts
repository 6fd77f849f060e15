/** Sends what is small enough to be read whole: at once when it is in memory, without a promise. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { RenditionCache } from './rendition-cache.ts';
import { type ObjectHeaders, sendBytes, sendNotModified, sendObject } from './send.ts';

export interface Rendition {
  renditions: RenditionCache;
  /** For those that are too large to be in memory. */
  deps: Pick<Deps, 'storage'>;
  name: string;
  headers: ObjectHeaders;
}

export function sendRendition(
  request: FastifyRequest,
  reply: FastifyReply,
  rendition: Rendition,
): Promise<unknown> | undefined {
  const { renditions, name, headers } = rendition;
  if (sendNotModified(request, reply, headers)) return undefined;
  const bytes = renditions.get(name);
  if (!bytes) return loadAndSend(request, reply, rendition);
  sendBytes(request, reply, bytes, headers);
  return undefined;
}

async function loadAndSend(
  request: FastifyRequest,
  reply: FastifyReply,
  rendition: Rendition,
): Promise<FastifyReply> {
  const { renditions, deps, name, headers } = rendition;
  const bytes = await renditions.load(name);
  if (!bytes) throw errors.photoNotFound();
  if (bytes === 'large') return sendObject(request, reply, deps, { name, ...headers });
  sendBytes(request, reply, bytes, headers);
  return reply;
}
