/** One line a request, written when it is answered. Never a token, a password, a query string or a body. */
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { addressOf } from '../connections/address.ts';
import type { App } from '../http/app.ts';
import { parseObjectName } from '../storage/keys.ts';

export function logRequests(app: App, { log }: { log: Logger }): void {
  const showsDetails = log.isLevelEnabled('debug');
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions;
    // Images outnumber everything else many times over: their successes are for debugging only.
    const isDetail = url === '/storage/:name' && reply.statusCode < 400;
    if (isDetail && !showsDetails) return done();
    request.log[isDetail ? 'debug' : 'info'](
      {
        method: request.method,
        path: loggedPath(request, url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.viewer?.id,
        ip: addressOf(request),
      },
      'request',
    );
    done();
  });
}

/**
 * The route's pattern, with its ids and names of objects put in: whatever the client called it, a share's token
 * stays out. Of a path that no route has, only what looks like a word is written.
 */
function loggedPath({ params, raw }: FastifyRequest, url: string | undefined): string {
  if (url === undefined || url.endsWith('*')) return unknownPath(raw.url ?? '');
  return url.replaceAll(/:(\w+)/g, (parameter, name) => {
    const value = (params as Record<string, unknown>)[name];
    return isTelling(value) ? String(value) : parameter;
  });
}

function isTelling(value: unknown): value is number | string {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  const text = String(value);
  return /^\d{1,16}$/.test(text) || parseObjectName(text) !== undefined;
}

const maxSegments = 6;
/** `api`, `wp-login.php`, `.env`, `v2`; a token is longer, and what is encoded could be anything. */
const word = /^\.?[\w-]{0,20}(\.\w{1,5})?$/;

function unknownPath(target: string): string {
  const path = target.slice(0, 500).split(/[?#]/, 1)[0]!;
  const segments = path.split('/').map((segment) => (word.test(segment) ? segment : '…'));
  return segments.slice(0, maxSegments).join('/') + (segments.length > maxSegments ? '/…' : '');
}
