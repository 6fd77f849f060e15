/** Sets the response header `Vary`, which names the request headers that a response depends on. */
import type { FastifyReply } from 'fastify';

/** Adds names of request headers to `Vary`. */
export function addVary(reply: FastifyReply, names: string | undefined): void {
  if (!names) return;
  const before = reply.getHeader('vary');
  reply.header('vary', before ? `${before}, ${names}` : names);
}
