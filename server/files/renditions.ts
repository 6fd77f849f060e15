/** Sends what is small enough to be read whole: at once when it is in memory, without a promise. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../http/errors.ts';
import type { RenditionCache } from './rendition-cache.ts';
import { type ObjectHeaders, sendBytes, sendNotModified } from './send.ts';

export interface Rendition {
  renditions: RenditionCache;
  name: string;
  headers: ObjectHeaders;
}

export function sendRendition(
  request: FastifyRequest,
  reply: FastifyReply,
  { renditions, name, headers }: Rendition,
): Promise<unknown> | undefined {
  if (sendNotModified(request, reply, headers)) return undefined;
  const bytes = renditions.get(name);
  if (!bytes) return loadAndSend(request, reply, { renditions, name, headers });
  sendBytes(request, reply, bytes, headers);
  return undefined;
}

async function loadAndSend(
  request: FastifyRequest,
  reply: FastifyReply,
  { renditions, name, headers }: Rendition,
): Promise<FastifyReply> {
  const bytes = await renditions.load(name);
  if (!bytes) throw errors.photoNotFound();
  sendBytes(request, reply, bytes, headers);
  return reply;
}
