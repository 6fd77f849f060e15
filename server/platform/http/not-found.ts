/**
 * Answers what no route takes: 405 where the path is known with other methods, else 404, both in the envelope; to people
 * who look for a page, a page.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import findMyWay from 'find-my-way';
import { errors } from '../errors/catalogue.ts';
import { addVary } from './vary.ts';

/** The methods of a request's path; undefined for one that no route has. */
type KnownPaths = (request: FastifyRequest) => Set<string> | undefined;

/** A route that ends in a parameter, without parameters before it. */
const endsInParameter = /^(\/api\/[^:*]*\/):(\w+)$/;

/** Notes every route that is added to `app` from here on, or to a scope of it. */
export function noteKnownPaths(app: FastifyInstance): KnownPaths {
  const methods = new Map<string, Set<string>>();
  /** By what stands before the last segment: the methods of each name that it may have. */
  const fixed = new Map<string, Map<string, Set<string>>>();
  // The router's own code reads the path: no spelling leads to a route and is unknown here, or the other way round.
  const paths = findMyWay();
  app.addHook('onRoute', (route) => {
    const { url, method } = route;
    // Routes that answer preflights take every path; they make none of them known.
    if (url.endsWith('*')) return;
    const pattern = url.replace(/:\w+/g, ':name');
    const known = methods.get(pattern) ?? new Set<string>();
    for (const name of [method].flat()) known.add(name);
    if (!methods.has(pattern)) paths.on('GET', pattern, () => {}, known);
    methods.set(pattern, known);
    const end = pattern.lastIndexOf('/') + 1;
    namesAfter(pattern.slice(0, end)).set(pattern.slice(end), known);
    const [, before, name] = endsInParameter.exec(url) ?? [];
    if (before && name) route.preValidation = [refuseFixed(before, name), route.preValidation ?? []].flat();
  });

  function namesAfter(before: string): Map<string, Set<string>> {
    const names = fixed.get(before) ?? new Map<string, Set<string>>();
    fixed.set(before, names);
    return names;
  }

  /** `GET /api/photos/upload` arrives at `/api/photos/:id`, but is a known path with another method. */
  function refuseFixed(before: string, name: string) {
    const names = namesAfter(before);
    return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
      const known = names.get((request.params as Record<string, string>)[name]!);
      if (known) reply.header('Allow', [...known].join(', '));
      done(known && errors.methodNotAllowed());
    };
  }

  return ({ raw }) => {
    const found = paths.find('GET', raw.url ?? '');
    return found && !hasEmptySegment(found) ? found.store : undefined;
  };
}

/** Sends the page that says so, with its status. */
export type SendNotFound = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Sets the handler for what lies below the scope's prefix; the hooks of the scope run before it. `sendPage`: for people,
 * where there are pages.
 */
export function answerUnknown(scope: FastifyInstance, methodsOf: KnownPaths, sendPage?: SendNotFound): void {
  scope.setNotFoundHandler(async (request, reply) => {
    const methods = methodsOf(request);
    if (methods) {
      reply.header('Allow', [...methods].join(', '));
      throw errors.methodNotAllowed();
    }
    if (!sendPage) throw errors.notFound();
    addVary(reply, 'Accept');
    if (!looksForPage(request)) throw errors.notFound();
    return sendPage(request, reply);
  });
}

/** As browsers ask for what is opened in a window; programs ask for anything, or for JSON. */
export function looksForPage({ method, headers: { accept = '' } }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && accept.includes('text/html') && !accept.includes('application/json');
}

/** `/api/photos/` and `/api/photos//like` arrive at routes with an id, but nothing has an empty one. */
export function hasEmptySegment({ params }: { params: unknown }): boolean {
  return Object.values(params as Record<string, string>).includes('');
}
