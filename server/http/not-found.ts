/** Answers what no route takes: 405 where the path is known with other methods, else 404, both in the envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { errors } from './errors.ts';

/** Path patterns and their methods. */
export type KnownPaths = Map<string, Set<string>>;

/** Notes every route that is added to `app` from here on, or to a scope of it. */
export function noteKnownPaths(app: FastifyInstance): KnownPaths {
  const methods: KnownPaths = new Map();
  app.addHook('onRoute', (route) => {
    const { url, method } = route;
    // The route that answers preflights takes every path; it makes none of them known.
    if (url === '*') return;
    const known = methods.get(url) ?? new Set<string>();
    for (const name of [method].flat()) known.add(name);
    methods.set(url, known);
    if (/^\/api\/.*\/:\w+$/.test(url)) route.preValidation = [refuseFixed, route.preValidation ?? []].flat();
  });

  /** `GET /api/photos/upload` arrives at `/api/photos/:id`, but is a known path with another method. */
  function refuseFixed(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const known = methods.get(pathOf(request));
    if (known) reply.header('Allow', [...known].join(', '));
    done(known && errors.methodNotAllowed());
  }

  return methods;
}

/** Sets the handler for the whole server; `scope`'s hooks run before it. */
export function answerUnknown(scope: FastifyInstance, methods: KnownPaths): void {
  scope.setNotFoundHandler((request, reply) => {
    const allowed = allowedFor(pathOf(request), methods);
    if (allowed.length === 0) throw errors.notFound();
    reply.header('Allow', allowed.join(', '));
    throw errors.methodNotAllowed();
  });
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0]!;
}

function allowedFor(path: string, methods: Map<string, Set<string>>): string[] {
  const allowed = new Set<string>();
  for (const [url, known] of methods) {
    if (patternOf(url).test(path)) for (const name of known) allowed.add(name);
  }
  return [...allowed];
}

/** `/api/photos/:id/like` → `^/api/photos/[^/]+/like$` */
function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${source}$`);
}
