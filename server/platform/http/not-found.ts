/**
 * Responds to requests without a route: 405 if the path exists with other methods, else 404, both in the envelope.
 * Browsers that request a page get a page.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import findMyWay from 'find-my-way';
import { errors } from '../errors/catalogue.ts';
import { addVary } from './vary.ts';

/** Returns the methods of a request's path. Undefined for a path without routes. */
export type KnownPaths = (request: FastifyRequest) => Set<string> | undefined;

/** A route that ends in a parameter and has no parameters before it. */
const endsInParameter = /^(\/api\/[^:*]*\/):(\w+)$/;

/** Collects the routes that are added to `app` or its scopes after this call. */
export function collectKnownPaths(app: FastifyInstance): KnownPaths {
  const methods = new Map<string, Set<string>>();
  /** Allowed methods by the path before the last segment, then by the last segment's fixed name. */
  const fixed = new Map<string, Map<string, Set<string>>>();
  // The router's own code parses the path, so that known paths and actual routes always agree on its spelling.
  const paths = findMyWay();
  app.addHook('onRoute', (route) => {
    const { url, method } = route;
    // Routes that answer preflight requests match every path and must not make all paths known.
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

  /**
   * Returns a hook that answers 405 for names with other methods. `GET /api/photos/upload` matches `/api/photos/:id`,
   * but the path exists only with another method.
   */
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
    return found && !hasEmptyPathParameter(found) ? found.store : undefined;
  };
}

/** Sends the page for an unknown path, with status 404. */
export type SendNotFoundPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Answers for unknown paths outside the API. */
export interface UnknownPathResponses {
  sendPage: SendNotFoundPage;
  /** Throws unauthenticated for a program that must not learn which paths exist. */
  refuseVisitor(request: FastifyRequest): Promise<void>;
}

/**
 * Sets the handler for unknown paths below the scope's prefix. The scope's hooks run before the handler. `pages` sends
 * a page to browsers, if the scope has pages.
 */
export function handleUnknownPaths(
  scope: FastifyInstance,
  findMethods: KnownPaths,
  pages?: UnknownPathResponses,
): void {
  scope.setNotFoundHandler(async (request, reply) => {
    if (!isPageRequest(request)) await pages?.refuseVisitor(request);
    const methods = findMethods(request);
    if (methods) {
      reply.header('Allow', [...methods].join(', '));
      throw errors.methodNotAllowed();
    }
    if (!pages) throw errors.notFound();
    addVary(reply, 'Accept');
    if (!isPageRequest(request)) throw errors.notFound();
    return pages.sendPage(request, reply);
  });
}

/** Whether a browser requests the URL as a page. Programs accept anything, or JSON. */
export function isPageRequest({ method, headers: { accept = '' } }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && accept.includes('text/html') && !accept.includes('application/json');
}

/** Whether a parameter is empty. `/api/photos/` and `/api/photos//like` match routes with an id, but no id is empty. */
export function hasEmptyPathParameter({ params }: { params: unknown }): boolean {
  return Object.values(params as Record<string, string>).includes('');
}
