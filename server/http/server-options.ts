/** How the HTTP server treats connections: every wait, size and count has a bound. */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ConnectionError, type FastifyHttpOptions, LogController, type RawServerDefault } from 'fastify';
import type { Deps } from '../deps.ts';
import { handleError } from './error-handler.ts';
import { catalogue, type ErrorEntry } from './errors.ts';

const headersTimeoutMs = 15_000;
/** Fifty megabytes at the slowest connection that we wait for (about 1 Mbit/s). */
const requestTimeoutMs = 420_000;
/** How often Node looks for requests past these bounds; its own half a minute would double the first. */
const checkIntervalMs = 3000;
const keepAliveTimeoutMs = 72_000;
const mostConnections = 10_000;

export function serverOptions({ config, log }: Deps): FastifyHttpOptions<RawServerDefault> {
  return {
    loggerInstance: log,
    // Requests are logged once, when they are answered; see operations/request-log.ts.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    trustProxy: trustedHops(config.trustProxy),
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: requestTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkIntervalMs,
      maxHeaderSize: 16 * 1024,
    },
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false, caseSensitive: true },
    frameworkErrors: handleError as never,
    clientErrorHandler: refuseUnreadable,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
  };
}

export { mostConnections };

/** Unique to the process by their beginning, to the request by their end. */
function createRequestIds(): () => string {
  const start = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}

/** A number of hops as the function that Fastify's types want: the hop's distance is less than it. */
function trustedHops(trust: boolean | number | string[]) {
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : trust;
}

/** Requests that Node's parser refuses never become requests; they still get the envelope. */
function refuseUnreadable(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = answerFor(error.code);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function answerFor(code: string | undefined): { status: string; body: string } {
  if (code === 'HPE_HEADER_OVERFLOW')
    return line(catalogue.headersTooLarge, 'Request Header Fields Too Large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return line(catalogue.requestTimeout, 'Request Timeout');
  return line({ ...catalogue.invalid, message: 'The request could not be read' }, 'Bad Request');
}

function line({ code, status, message }: ErrorEntry, reason: string): { status: string; body: string } {
  return { status: `${status} ${reason}`, body: JSON.stringify({ code, message }) };
}
