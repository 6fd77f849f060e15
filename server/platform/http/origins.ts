/** Which pages of other origins may read the bytes of images: those that may call the API. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

/** Sets the header; the plugin that does it for the API costs more than the rest of a thumbnail's headers. */
export type AllowOrigin = (request: FastifyRequest, reply: FastifyReply) => void;

export function createAllowOrigin({ corsOrigins }: Config): AllowOrigin {
  const allowed = corsOrigins === '*' ? undefined : new Set(corsOrigins);
  return (request, reply) => {
    if (!allowed) {
      reply.header('access-control-allow-origin', '*');
    } else if (allowed.size > 0) {
      const { origin } = request.headers;
      reply.header('vary', 'Origin');
      if (origin && allowed.has(origin)) reply.header('access-control-allow-origin', origin);
    }
  };
}
