/** Headers that protect, and who may call from another origin. */
import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Methods and request headers that scripts of every allowed origin may use, at any endpoint. */
const methods = ['GET', 'POST', 'PUT', 'DELETE'];
const allowedHeaders = ['Content-Type', 'Authorization'];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What browsers of other origins may do here, beside what they may everywhere. */
    crossOrigin?: { methods: string[]; requestHeaders: string[]; answerHeaders: string[] };
    /** The plugin's own, made of that. */
    cors?: { methods: string[]; allowedHeaders: string[]; exposedHeaders: string[] };
    /** Of the answer to OPTIONS. */
    optionsHeaders?: Record<string, string>;
  }
}

/** Response headers that a browser lets these scripts read. */
const exposedHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Content-Disposition',
];

export interface CrossOrigins {
  /** Origins that may call the API from a browser; `'*'`: all. */
  corsOrigins: '*' | string[];
}

export async function protect(app: FastifyInstance, { corsOrigins }: CrossOrigins): Promise<void> {
  app.addHook('onRoute', ({ config = {} }) => {
    const { crossOrigin } = config;
    if (!crossOrigin) return;
    config.cors = {
      methods: crossOrigin.methods,
      allowedHeaders: [...allowedHeaders, ...crossOrigin.requestHeaders],
      exposedHeaders: [...exposedHeaders, ...crossOrigin.answerHeaders],
    };
  });
  // Before the plugin's hook, which answers OPTIONS.
  app.addHook('onRequest', ({ routeOptions, method }, reply, done) => {
    reply.header('X-Content-Type-Options', 'nosniff').header('Referrer-Policy', 'no-referrer');
    const { optionsHeaders } = routeOptions.config;
    if (optionsHeaders && method === 'OPTIONS') reply.headers(optionsHeaders);
    done();
  });
  await app.register(cors, {
    origin: corsOrigins,
    methods,
    allowedHeaders,
    exposedHeaders,
    maxAge: 86_400,
    // Every OPTIONS request is answered as a preflight, before the access hook: by headers alone.
    strictPreflight: false,
  });
}

/** Sets the header; the plugin that does it for the API costs more than the rest of a thumbnail's headers. */
export type AllowOrigin = (request: FastifyRequest, reply: FastifyReply) => void;

export function createAllowOrigin({ corsOrigins }: CrossOrigins): AllowOrigin {
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
