/** How the HTTP server treats connections: every wait, size and count has a bound. */
import { randomBytes } from 'node:crypto';
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
import { answerEarly } from '../connections/connection.ts';
import { refuseUnreadable } from '../connections/refuse.ts';
import { type BoundedServer, createBoundedServer } from '../connections/server.ts';
import type { TrustProxy } from '../process/settings.ts';
import { handleError } from './error-handler.ts';
import { handlePageError } from './error-page.ts';
import { looksForPage } from './not-found.ts';
import { parseQuery } from './prepare-input.ts';
import { type CrossOrigins, createAllowOrigin } from './security.ts';
import { compileSerializer } from './serialization.ts';

const headersTimeoutMs = 15_000;
/** Fifty megabytes at the slowest connection that we wait for (about 1 Mbit/s). */
const requestTimeoutMs = 420_000;
/** How often Node looks for requests past these bounds; its own half a minute would double the first. */
const checkIntervalMs = 3000;
const keepAliveTimeoutMs = 72_000;

interface ServerNeeds extends CrossOrigins {
  trustProxy: TrustProxy;
  connections: ConnectionBounds;
  log: Logger;
}

export function serverOptions({
  corsOrigins,
  trustProxy,
  connections,
  log,
}: ServerNeeds): FastifyHttpOptions<RawServerDefault> {
  const allowOrigin = createAllowOrigin({ corsOrigins });
  return {
    loggerInstance: log,
    // Requests are logged once, when they are answered; see platform/operations/request-log.ts.
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
          maxHeaderSize: 16 * 1024,
        },
        bounds: connections,
        isProxy: proxyTest(trustProxy),
      }),
    routerOptions: {
      maxParamLength: 200,
      ignoreTrailingSlash: false,
      caseSensitive: true,
      querystringParser: parseQuery as (text: string) => Record<string, unknown>,
    },
    // Before any hook: a page of another origin may read these, too.
    frameworkErrors: ((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      allowOrigin(request, reply);
      answerEarly(request.raw, reply.raw);
      return (looksForPage(request) ? handlePageError : handleError)(error, request, reply);
    }) as never,
    clientErrorHandler: refuseUnreadable,
    // Left out, Fastify loads compilers of its own at every start, which nothing here uses: 100 files, and their memory.
    schemaController: {
      compilersFactory: { buildSerializer: () => compileSerializer as never, buildValidator: refuseToCheck },
    },
    // A proxy may send on a connection that it has while the stop begins: that request is served like any other under
    // way, and its connection ends. Fastify's own 503 is none of our contract.
    return503OnClosing: false,
  };
}

/** A route with inputs that is not below `checkInputs` stops the start. */
function refuseToCheck(): never {
  throw new Error('inputs are checked by checkInputs alone');
}

/** Unique to the process by their beginning, to the request by their end. */
function createRequestIds(): () => string {
  const start = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}

/** Whether a connection from the address is one that `trustProxy` believes. */
export function proxyTest(trust: TrustProxy): (address: string) => boolean {
  if (!Array.isArray(trust)) return () => Number(trust) > 0;
  const isTrusted = compile(trust);
  return (address) => isTrusted(address, 0);
}

/** A number of hops as the function that Fastify's types want: the hop's distance is less than it. */
function trustedHops(trust: TrustProxy) {
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : trust;
}

/** Before Fastify closes the server: every answer that was given leaves whole. */
export function drainAtStop(app: FastifyInstance): void {
  app.addHook('preClose', () => (app.server as BoundedServer).drain());
}

/** Any answer may be given before the body of its request has arrived. */
export function watchEarlyAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    answerEarly(request.raw, reply.raw);
    done(null, payload);
  });
}
