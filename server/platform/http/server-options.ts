/** Options of the HTTP server. Every wait, size and count has a limit. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { compile } from '@fastify/proxy-addr';
import {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify';
import type { Logger } from 'pino';
import type { ConnectionBounds } from '../connections/bounds.ts';
import { allowEarlyResponse } from '../connections/connection.ts';
import { type BoundedServer, createBoundedServer } from '../connections/server.ts';
import type { TrustProxy } from '../process/settings.ts';
import { handleError } from './error-handler.ts';
import { handlePageError } from './error-page.ts';
import { isPageRequest } from './not-found.ts';
import { parseQueryString } from './prepare-input.ts';
import { type CrossOriginOptions, createSetCorsHeader } from './security.ts';
import { createLazySerializer } from './serialization.ts';

const headersTimeoutMs = 15_000;
/** Milliseconds for a whole request: 100 MB over the slowest supported connection of about 2 Mbit/s. */
const requestTimeoutMs = 420_000;
/**
 * Milliseconds between Node's checks for late requests. Node's default of half a minute is longer than the shortest
 * timeout.
 */
const checkIntervalMs = 3000;
const keepAliveTimeoutMs = 72_000;
/** Maximum bytes of all headers of a request. A single sign-on in front of the gallery may set 20 kB of cookies. */
const maxHeaderBytes = 32 * 1024;

interface ServerOptionsInput extends CrossOriginOptions {
  trustProxy: TrustProxy;
  connections: ConnectionBounds;
  log: Logger;
}

export function serverOptions({
  corsOrigins,
  trustProxy,
  connections,
  log,
}: ServerOptionsInput): FastifyHttpOptions<RawServerDefault> {
  const allowOrigin = createSetCorsHeader({ corsOrigins });
  return {
    loggerInstance: log,
    // Each request is logged once, after its response. See `platform/operations/request-log.ts`.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    trustProxy: trustedHops(trustProxy),
    serverFactory: (handle) =>
      createBoundedServer(handle, {
        http: {
          headersTimeout: headersTimeoutMs,
          requestTimeout: requestTimeoutMs,
          keepAliveTimeout: keepAliveTimeoutMs,
          connectionsCheckingInterval: checkIntervalMs,
          maxHeaderSize: maxHeaderBytes,
        },
        bounds: connections,
        isProxy: proxyTest(trustProxy),
      }),
    routerOptions: {
      maxParamLength: 200,
      ignoreTrailingSlash: false,
      caseSensitive: true,
      querystringParser: parseQueryString as (text: string) => Record<string, unknown>,
    },
    // Framework errors occur before any hook, so the CORS header is set here. Pages of other origins may read the
    // response, too.
    frameworkErrors: ((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      allowOrigin(request, reply);
      allowEarlyResponse(request, reply);
      return (isPageRequest(request) ? handlePageError : handleError)(error, request, reply);
    }) as never,
    // The server refuses unreadable requests itself, in the order of the connection. Fastify would write at once.
    clientErrorHandler: () => {},
    // Without these compilers, Fastify loads its own at every start: 100 unused files, and their memory.
    schemaController: {
      compilersFactory: {
        buildSerializer: () => createLazySerializer as never,
        buildValidator: refuseToCheck,
      },
    },
    // A proxy may send a request on an open connection while the server stops. The request is handled normally, and its
    // connection is closed afterwards. Fastify's own 503 is not part of our API.
    return503OnClosing: false,
  };
}

/** Stops the server's start if a route with inputs is outside the scope of `checkInputs`. */
function refuseToCheck(): never {
  throw new Error('inputs are checked by checkInputs alone');
}

/** Pattern of a request id from a proxy or a client. Other ids are ignored, because the log and responses show the id. */
const requestIdPattern = /^[\w.:=+/-]{1,128}$/;

/**
 * Returns a function that reads the id of a request from `X-Request-Id`, or creates an id. The first part of a created
 * id is unique per process, the last part per request.
 */
function createRequestIds(): (request: IncomingMessage) => string {
  const start = randomBytes(6).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && requestIdPattern.test(given)) return given;
    return `${start}-${(++count).toString(36)}`;
  };
}

/** Returns a test for connections from a proxy that `trustProxy` trusts. */
export function proxyTest(trust: TrustProxy): (address: string) => boolean {
  if (!Array.isArray(trust)) return () => Number(trust) > 0;
  const isTrusted = compile(trust);
  return (address) => isTrusted(address, 0);
}

/**
 * Returns a number of hops as the function that Fastify's types require. The function trusts hops whose distance is
 * below the number.
 */
function trustedHops(trust: TrustProxy) {
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : trust;
}

/** Waits for unfinished responses before Fastify closes the server, so that every response is sent completely. */
export function drainAtStop(app: FastifyInstance): void {
  app.addHook('preClose', () => (app.server as BoundedServer).drain());
}

/** Handles responses that are sent before the body of their request has arrived. */
export function handleEarlyResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    allowEarlyResponse(request, reply);
    done(null, payload);
  });
}
