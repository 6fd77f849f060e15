/** Security headers, and access for pages of other origins (CORS). */
import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KnownPaths } from './not-found.ts';

/** Methods and request headers that pages of allowed origins may use for any route. */
const allowedMethods = ['GET', 'POST', 'PUT', 'DELETE'];
const allowedHeaders = ['Content-Type', 'Authorization'];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether callers who are not signed in can call the route, even if the service is for members only. */
    openToVisitors?: boolean;
    /** Additional methods and headers that pages of other origins may use for this route. */
    crossOrigin?: { methods: string[]; requestHeaders: string[]; answerHeaders: string[] };
    /** Options of the CORS plugin, computed from `crossOrigin`. */
    cors?: { methods: string[]; allowedHeaders: string[]; exposedHeaders: string[] };
    /** Additional headers of the route's response to OPTIONS requests. */
    optionsHeaders?: Record<string, string>;
  }
}

/** Response headers that pages of allowed origins may read. */
const exposedHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Content-Disposition',
];

export interface CrossOriginOptions {
  /** Origins whose pages may call the API. `'*'` allows all origins. */
  corsOrigins: '*' | string[];
}

export async function addSecurityHeaders(
  app: FastifyInstance,
  { corsOrigins }: CrossOriginOptions,
  findMethods: KnownPaths,
): Promise<void> {
  app.addHook('onRoute', ({ config = {} }) => {
    const { crossOrigin } = config;
    if (!crossOrigin) return;
    config.cors = {
      methods: crossOrigin.methods,
      allowedHeaders: [...allowedHeaders, ...crossOrigin.requestHeaders],
      exposedHeaders: [...exposedHeaders, ...crossOrigin.answerHeaders],
    };
  });
  // This hook runs before the plugin's hook, which answers OPTIONS.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Content-Type-Options', 'nosniff').header('Referrer-Policy', 'no-referrer');
    if (request.method === 'OPTIONS') describeOptions(request, reply, findMethods);
    done();
  });
  await app.register(cors, {
    origin: corsOrigins,
    methods: allowedMethods,
    allowedHeaders,
    exposedHeaders,
    maxAge: 86_400,
    // Every OPTIONS request is answered as a preflight request before the access hook, with headers only.
    strictPreflight: false,
  });
}

/** Sets the headers of a response to OPTIONS: the methods of the path, and those that its route adds. */
function describeOptions(request: FastifyRequest, reply: FastifyReply, findMethods: KnownPaths): void {
  const methods = findMethods(request);
  if (methods) reply.header('Allow', [...new Set([...methods, 'OPTIONS'])].join(', '));
  reply.headers(request.routeOptions.config.optionsHeaders ?? {});
}

/**
 * Sets the CORS header of images. The plugin used for the API costs more time than all other headers of a thumbnail.
 */
export type SetCorsHeader = (request: FastifyRequest, reply: FastifyReply) => void;

export function createSetCorsHeader({ corsOrigins }: CrossOriginOptions): SetCorsHeader {
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
