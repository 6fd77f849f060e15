/**
 * Runs before every `/api` handler: identifies the caller, applies the rate limit and checks the caller's rights. Also
 * refuses visitors of a gallery for members, on all routes.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { callerKey } from '../../platform/connections/address.ts';
import { DatabaseUnavailable } from '../../platform/db/dialect.ts';
import { ApiError, type ErrorName, errors } from '../../platform/errors/catalogue.ts';
import { handleError } from '../../platform/http/error-handler.ts';
import { hasEmptyPathParameter } from '../../platform/http/not-found.ts';
import { createRateLimit, createRateLimitByKey } from '../../platform/http/rate-limiters.ts';
import { addVary } from '../../platform/http/vary.ts';
import { auditRouteAttempts, invalidTokenAction, refusedAdminAction } from './attempts/watch.ts';
import { createIsMembersOnly } from './members-only.ts';
import { createFindViewer, createTouchSession } from './sessions.ts';
import type { Viewer } from './viewer.ts';

interface AccessLevel {
  /** Errors that the OpenAPI document lists for the route. */
  refusals: ErrorName[];
  viewer?: true;
  /** Whether the caller needs a session, because API keys are refused. */
  session?: true;
  admin?: true;
}

const signedIn: ErrorName[] = ['unauthenticated', 'badToken'];
const adminOnly: ErrorName[] = [...signedIn, 'forbidden'];

/**
 * Access levels of routes. `none` ignores a token, `optional` refuses an invalid one. `session` refuses API keys,
 * and `admin` refuses all other users. `admin-session` is for acts that a leaked API key of an admin must not
 * allow.
 */
const accessLevels = {
  none: { refusals: [] },
  optional: { refusals: ['badToken'] },
  required: { refusals: signedIn, viewer: true },
  session: { refusals: signedIn, viewer: true, session: true },
  admin: { refusals: adminOnly, viewer: true, admin: true },
  'admin-session': { refusals: adminOnly, viewer: true, session: true, admin: true },
} satisfies Record<string, AccessLevel>;

export type RouteAuth = keyof typeof accessLevels;

/** Returns the errors of a route. A gallery for members also refuses visitors, unless the route is open to them. */
export function refusalsOf(auth: RouteAuth, openToVisitors: boolean | undefined): ErrorName[] {
  const { refusals } = accessLevels[auth];
  return openToVisitors ? refusals : [...signedIn, ...refusals];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Access level of the route. Required below `/api`: the server does not start if a route has none. */
    auth?: RouteAuth;
    /** Whether calls of a route count against the rate limit of uploads instead of the limit of all other calls. */
    isUploading?: boolean;
  }
  interface FastifyRequest {
    /** Viewer of the request, set by the hook of `/api` routes. Handlers pass the viewer on as an argument. */
    viewer: Viewer | undefined;
    /**
     * Identifies the caller and checks their rights again after the request body has arrived, which may take
     * minutes. A handler that reads the body itself calls this function afterwards. Throws unauthenticated or
     * forbidden.
     */
    confirmViewer(): Promise<void>;
    /**
     * Marks the request's session as active while a request body arrives that may take longer than SESSION_IDLE.
     * Cheap enough for every chunk.
     */
    touchSession(): void;
    /** Unix time at which this request last recorded a use of its session. */
    useRecordedTime: number;
  }
}

const guardDecorator = 'guardsAccess';

/**
 * Stops the start of the server if a route below `/api` declares no access level, or if a route bypasses the access
 * hook. A route outside `/api` must declare whether visitors of a gallery for members can call it. If they cannot, its
 * handler calls the function of `createRefuseVisitor`.
 */
export function requireAccessLevels(app: FastifyInstance): void {
  app.addHook('onRoute', function (this: FastifyInstance, { method, url, config }: RouteOptions) {
    const isApi = /^\/api(\/|$)/i.test(url);
    const route = `${method} ${url}`;
    if (isApi !== this.hasDecorator(guardDecorator))
      throw new Error(`${route} is registered on the wrong side of the access hook`);
    if (isApi && !isAuth(config?.auth))
      throw new Error(`${route} does not declare who can call it (config.auth)`);
    // A hook answers every OPTIONS request with headers only.
    if (!isApi && method !== 'OPTIONS' && config?.openToVisitors === undefined)
      throw new Error(`${route} does not declare whether visitors can call it (config.openToVisitors)`);
  });
}

function isAuth(auth: unknown): auth is RouteAuth {
  return typeof auth === 'string' && Object.hasOwn(accessLevels, auth);
}

/**
 * Returns a function that throws unauthenticated for a visitor of a gallery for members. The routes that are open to
 * visitors declare so (`config.openToVisitors`).
 */
export function createRefuseVisitor(deps: Pick<Deps, 'db' | 'config'>) {
  const isMembersOnly = createIsMembersOnly(deps);

  return async (request: FastifyRequest, viewer: Viewer | undefined): Promise<void> => {
    if (viewer || isOpenToVisitors(request)) return;
    if (await isMembersOnly()) throw errors.unauthenticated();
  };
}

/**
 * Returns a function that does the same for a request whose viewer is not known yet. The function identifies the viewer
 * only in a gallery for members. The function throws unauthenticated or badToken.
 */
export function createRefuseAnonymous(deps: Deps) {
  const findViewer = createFindViewer(deps);
  const isMembersOnly = createIsMembersOnly(deps);

  return async (request: FastifyRequest): Promise<void> => {
    if (isOpenToVisitors(request) || !(await isMembersOnly())) return;
    if (!(await findViewer(request))) throw errors.unauthenticated();
  };
}

function isOpenToVisitors(request: FastifyRequest): boolean {
  return request.routeOptions.config.openToVisitors === true && !isUnknownPath(request);
}

function isUnknownPath(request: FastifyRequest): boolean {
  return request.is404 || hasEmptyPathParameter(request);
}

/**
 * Guards every request below `/api`. The access level comes from the route that the router selects, never from the
 * path of the request.
 */
export function guardApi(scope: FastifyInstance, deps: Deps): void {
  const findViewer = createFindViewer(deps);
  const isMembersOnly = createIsMembersOnly(deps);
  const refuseVisitor = createRefuseVisitor(deps);
  const countCall = createCountCall(scope, deps.config);
  auditRouteAttempts(scope, deps);
  scope.decorate(guardDecorator, true);
  scope.decorateRequest('viewer' satisfies keyof FastifyRequest, undefined);

  scope.addHook('onRequest', async (request, reply) => {
    setPrivateCaching(reply);
    const isUnknown = isUnknownPath(request);
    const { config } = request.routeOptions;
    // An unknown path needs no rights, but counts against the rate limit like any other call.
    const auth = isUnknown ? 'none' : config.auth;
    const ignoresToken = auth === 'none' && (isOpenToVisitors(request) || !(await isMembersOnly()));
    const found = ignoresToken ? undefined : await findViewer(request).catch(returnApiError);
    const viewer = found instanceof ApiError ? undefined : found;
    if (found instanceof ApiError) request.attempt.audited ??= invalidTokenAction;
    await countCall(request, reply, viewer);
    if (found instanceof ApiError) throw found;
    checkViewer(request, auth, viewer);
    await refuseVisitor(request, viewer);
    if (isUnknown && !request.is404) throw errors.notFound();
    request.viewer = viewer;
    request.useRecordedTime = deps.clock();
  });

  const touchSession = createTouchSession(deps);
  scope.decorateRequest('useRecordedTime' satisfies keyof FastifyRequest, 0);
  scope.decorateRequest('touchSession' satisfies keyof FastifyRequest, function (this: FastifyRequest) {
    touchSession(this);
  });

  scope.decorateRequest(
    'confirmViewer' satisfies keyof FastifyRequest,
    async function (this: FastifyRequest) {
      const { auth } = this.routeOptions.config;
      if (this.is404 || auth === 'none') return;
      this.viewer = await findViewer(this);
      checkViewer(this, auth, this.viewer);
      await refuseVisitor(this, this.viewer);
    },
  );

  scope.addHook('preValidation', (request, _reply, done) => {
    if (!hasBody(request)) return done();
    request.confirmViewer().then(() => done(), done);
  });

  scope.setErrorHandler(async (error, request, reply) => {
    const reason = isReferenceMissing(error)
      ? await request.confirmViewer().catch(returnApiError)
      : undefined;
    return handleError(reason ?? error, request, reply);
  });
}

/**
 * Returns a function that counts a call against one limit and throws tooManyRequests. The limit is the one of uploads,
 * of the API key, of the account's browsers, or of the account or address.
 */
function createCountCall(
  { shared }: FastifyInstance,
  {
    rateLimit,
    webRateLimit,
    uploadRateLimit,
  }: Pick<Config, 'rateLimit' | 'webRateLimit' | 'uploadRateLimit'>,
) {
  const spend = createRateLimit(shared, 'api', rateLimit);
  // Pages of the account count against the same limit (`pages/read.ts`).
  const spendInBrowser = createRateLimit(shared, 'web', webRateLimit);
  const spendOnUploads = createRateLimit(shared, 'uploads', uploadRateLimit);
  const spendByKey = createRateLimitByKey(shared, 'api-key');

  return async (request: FastifyRequest, reply: FastifyReply, viewer: Viewer | undefined): Promise<void> => {
    const limit = viewer?.keyRateLimit ?? undefined;
    if (limit === 0) return;
    if (request.routeOptions.config.isUploading) await spendOnUploads(callerKey(viewer, request), reply);
    else if (limit !== undefined) await spendByKey(`k${viewer!.keyId}`, limit, reply);
    else await (viewer?.hasCookie ? spendInBrowser : spend)(callerKey(viewer, request), reply);
  };
}

/** Returns whether the error may mean that the caller's account was erased during the request. */
function isReferenceMissing(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && error.lacksReferred;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers;
}

/**
 * Forbids shared caches to store the response, whatever their operator configured. Routes that return a secret set
 * stricter headers.
 */
function setPrivateCaching(reply: FastifyReply): void {
  reply.header('Cache-Control', 'private, no-cache');
  addVary(reply, 'Authorization, Cookie');
}

/** Logs a refused admin call by a signed-in user to the audit log. Throws like `checkAccess`. */
function checkViewer(request: FastifyRequest, auth: RouteAuth | undefined, viewer: Viewer | undefined): void {
  try {
    checkAccess(auth, viewer, request.method);
  } catch (error) {
    if (viewer && isAuth(auth) && 'admin' in accessLevels[auth])
      request.attempt.audited ??= refusedAdminAction;
    throw error;
  }
}

/**
 * Throws unauthenticated or forbidden if the viewer may not call the route. Throws an internal error for a route
 * without an access level.
 */
function checkAccess(auth: RouteAuth | undefined, viewer: Viewer | undefined, method: string): void {
  if (!isAuth(auth)) throw new Error('a route without config.auth was called');
  const demands: AccessLevel = accessLevels[auth];
  if (demands.viewer && !viewer) throw errors.unauthenticated();
  if (demands.session) refuseApiKey(viewer);
  if (viewer?.isReadOnly && method !== 'GET' && method !== 'HEAD') {
    throw errors.forbidden({ message: 'This API key can only read' });
  }
  if (demands.admin && !viewer?.isAdmin) throw errors.forbidden();
}

/** Throws forbidden for a request with an API key. API keys cannot change the security settings of accounts. */
export function refuseApiKey(viewer: Viewer | undefined): void {
  if (viewer && viewer.sessionId === 0) {
    throw errors.forbidden({ message: 'An API key cannot do this. Sign in instead.' });
  }
}

function returnApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
