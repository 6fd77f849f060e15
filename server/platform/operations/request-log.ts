/**
 * Writes one log line per answered request, and adds the id of the line (`reqId`) to the response. The line never contains a token, a password, a query string or a body.
 */
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { clientAddress } from '../connections/address.ts';
import type { App } from '../http/app.ts';
import { parseObjectName } from '../storage/keys.ts';

export function logRequests(app: App, { log }: { log: Logger }): void {
  const showsDetails = log.isLevelEnabled('debug');
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions;
    // Image requests far outnumber all others, so successful ones are logged at debug level only.
    const isDetail = url === '/storage/:name' && reply.statusCode < 400;
    if (isDetail && !showsDetails) return done();
    request.log[isDetail ? 'debug' : 'info'](
      {
        method: request.method,
        path: loggedPath(request, url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.viewer?.id,
        ip: clientAddress(request),
      },
      'request',
    );
    done();
  });
}

/**
 * Returns the route's pattern with ids and object names filled in, so that the token of a share link is never logged.
 * For an unknown path, only segments that look like words are written.
 */
function loggedPath({ params, raw }: FastifyRequest, url: string | undefined): string {
  if (url === undefined || url.endsWith('*')) return unknownPath(raw.url ?? '');
  return url.replaceAll(/:(\w+)/g, (parameter, name) => {
    const value = (params as Record<string, unknown>)[name];
    return isLoggable(value) ? String(value) : parameter;
  });
}

function isLoggable(value: unknown): value is number | string {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  const text = String(value);
  return /^\d{1,16}$/.test(text) || parseObjectName(text) !== undefined;
}

const maxSegments = 6;
/**
 * Pattern of a path segment that is safe to log, such as `api`, `wp-login.php`, `.env` or `v2`. Tokens are longer, and
 * an encoded segment could contain anything.
 */
const safePathPartPattern = /^\.?[\w-]{0,20}(\.\w{1,5})?$/;

function unknownPath(target: string): string {
  const path = target.slice(0, 500).split(/[?#]/, 1)[0]!;
  const segments = path.split('/').map((segment) => (safePathPartPattern.test(segment) ? segment : '…'));
  return segments.slice(0, maxSegments).join('/') + (segments.length > maxSegments ? '/…' : '');
}
