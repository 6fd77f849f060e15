/** What happens before any `/api` handler: who is it, and has their purse a request left? */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createFindViewer } from '../auth/sessions.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Deps } from '../deps.ts';
import { addressKey } from './address.ts';
import { ApiError, errors } from './errors.ts';
import { createRateLimit } from './rate-limit.ts';

/**
 * Who may call a route. `none` ignores a token; `optional` refuses a bad one; `session` refuses API keys; `admin`
 * refuses everybody else.
 */
export type Auth = 'none' | 'optional' | 'required' | 'session' | 'admin';

declare module 'fastify' {
  interface FastifyContextConfig {
    auth?: Auth;
  }
  interface FastifyRequest {
    /** Set by the hook below for `/api` routes; handlers pass it on as an argument. */
    viewer: Viewer | undefined;
  }
}

export function guardApi(app: FastifyInstance, deps: Deps): void {
  const findViewer = createFindViewer(deps);
  const spend = createRateLimit(deps);
  app.decorateRequest('viewer', undefined);

  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isApi(request)) return;
    const auth = request.routeOptions.config.auth ?? 'none';
    const found =
      auth === 'none' ? undefined : await findViewer(request.headers.authorization).catch(asError);
    const viewer = found instanceof ApiError ? undefined : found;
    await spend(viewer ? `u${viewer.id}` : addressKey(request.ip), reply);
    if (found instanceof ApiError) throw found;
    if (viewer) checkKey(viewer, auth, request.method);
    else if (auth !== 'none' && auth !== 'optional') throw errors.unauthenticated();
    if (auth === 'admin' && !viewer?.isAdmin) throw errors.forbidden();
    request.viewer = viewer;
  });
}

function isApi({ url }: FastifyRequest): boolean {
  return url.startsWith('/api/') || url === '/api';
}

/** A key does what its scopes say, and never what concerns the account's own security. Throws 403. */
function checkKey(viewer: Viewer, auth: Auth, method: string): void {
  if (auth === 'session' && viewer.sessionId === 0) {
    throw errors.forbidden({ message: 'Not possible with an API key; log in' });
  }
  if (viewer.isReadOnly && method !== 'GET' && method !== 'HEAD') {
    throw errors.forbidden({ message: 'This API key may only read' });
  }
}

function asError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** The viewer of a route that requires one. */
export function viewerOf(request: FastifyRequest): Viewer {
  if (!request.viewer) throw errors.unauthenticated();
  return request.viewer;
}
