/** One line a request, written when it is answered. Never a token, a password, a query string or a body. */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Bindings, ChildLoggerOptions, Logger } from 'pino';
import { addressOf } from '../connections/address.ts';
import type { App } from '../http/app.ts';
import { parseObjectName } from '../storage/keys.ts';

export function logRequests(app: App, { log }: { log: Logger }): void {
  const showsDetails = log.isLevelEnabled('debug');
  const pathOf = createPathOf();
  app.setChildLoggerFactory((parent, bindings, options) => new LateLog(parent, bindings, options) as never);
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions;
    // Images outnumber everything else many times over: their successes are for debugging only.
    const isDetail = url === '/storage/:name' && reply.statusCode < 400;
    if (isDetail && !showsDetails) return done();
    // As its own log would write it, which is not made for this line alone.
    log[isDetail ? 'debug' : 'info'](
      {
        reqId: request.id,
        method: request.method,
        path: pathOf(request, url),
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

/** The log of a request, made when something is written to it: of most requests there is nothing but their line. */
class LateLog {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  readonly #options: ChildLoggerOptions;
  #own: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: ChildLoggerOptions) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  get #log(): FastifyBaseLogger {
    this.#own ??= this.#parent.child(this.#bindings, this.#options);
    return this.#own;
  }

  get level(): string {
    return this.#log.level;
  }

  child(bindings: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger {
    return this.#log.child(bindings, options);
  }

  fatal(...[what, text]: Said): void {
    this.#log.fatal(what, text);
  }

  error(...[what, text]: Said): void {
    this.#log.error(what, text);
  }

  warn(...[what, text]: Said): void {
    this.#log.warn(what, text);
  }

  info(...[what, text]: Said): void {
    this.#log.info(what, text);
  }

  debug(...[what, text]: Said): void {
    this.#log.debug(what, text);
  }

  trace(...[what, text]: Said): void {
    this.#log.trace(what, text);
  }

  silent(): void {}
}

/** An object, an error or a text alone. */
type Said = [what: unknown, text?: string];

/**
 * The route's pattern, with its ids and names of objects put in: whatever the client called it, a share's token
 * stays out. Of a path that no route has, only what looks like a word is written.
 */
function createPathOf(): (request: FastifyRequest, url: string | undefined) => string {
  /** The patterns' texts, with the names of their parameters between them. */
  const piecesOf = new Map<string, string[]>();
  return ({ params, raw }, url) => {
    if (url === undefined || url.endsWith('*')) return unknownPath(raw.url ?? '');
    const pieces = piecesOf.get(url) ?? url.split(/:(\w+)/);
    if (!piecesOf.has(url)) piecesOf.set(url, pieces);
    let path = pieces[0]!;
    for (let i = 1; i < pieces.length; i += 2) {
      const value = (params as Record<string, unknown>)[pieces[i]!];
      path += isTelling(value) ? value : `:${pieces[i]}`;
      path += pieces[i + 1];
    }
    return path;
  };
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
