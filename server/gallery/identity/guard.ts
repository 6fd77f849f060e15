/** What happens before any `/api` handler: who is the caller, are they within the rate limit, may they do this? */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Deps } from '../../deps.ts';
import { callerKey } from '../../platform/connections/address.ts';
import { DatabaseUnavailable } from '../../platform/db/dialect.ts';
import { ApiError, type ErrorName, errors } from '../../platform/errors/catalogue.ts';
import { handleError } from '../../platform/http/error-handler.ts';
import { hasEmptySegment } from '../../platform/http/not-found.ts';
import { createRateLimit } from '../../platform/http/rate-limiters.ts';
import { addVary } from '../../platform/http/vary.ts';
import { adminUse, tokenUse, watchAttempts } from './attempts/watch.ts';
import { createFindViewer, createKeepInUse } from './sessions.ts';
import type { Viewer } from './viewer.ts';

interface Demands {
  /** Errors that the contract names for it. */
  refusals: ErrorName[];
  viewer?: true;
  /** A session, not an API key. */
  session?: true;
  admin?: true;
}

const signedIn: ErrorName[] = ['unauthenticated', 'badToken'];
const adminOnly: ErrorName[] = [...signedIn, 'forbidden'];

/**
 * Who may call a route. `none` ignores a token; `optional` refuses a bad one; `session` refuses API keys; `admin`
 * refuses everybody else; `admin-session` is for what a leaked key of an admin must not do.
 */
const demandsOf = {
  none: { refusals: [] },
  optional: { refusals: ['badToken'] },
  required: { refusals: signedIn, viewer: true },
  session: { refusals: signedIn, viewer: true, session: true },
  admin: { refusals: adminOnly, viewer: true, admin: true },
  'admin-session': { refusals: adminOnly, viewer: true, session: true, admin: true },
} satisfies Record<string, Demands>;

export type Auth = keyof typeof demandsOf;

export function refusalsOf(auth: Auth): ErrorName[] {
  return demandsOf[auth].refusals;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required below `/api`: a route without it stops the start. */
    auth?: Auth;
    /** Counts against the limit of uploads, and not against that of all other calls. */
    isUploading?: boolean;
  }
  interface FastifyRequest {
    /** Set by the hook below for `/api` routes; handlers pass it on as an argument. */
    viewer: Viewer | undefined;
    /**
     * Asks anew who the caller is and whether they may do this: when a body is here, which may take minutes to come.
     * What reads a body itself calls it afterwards. Throws unauthenticated or forbidden.
     */
    confirmViewer(): Promise<void>;
    /** Its session is in use: called as a body comes that may take longer than SESSION_IDLE. Costs next to nothing. */
    keepInUse(): void;
    /** Unix seconds: when its session's use was last seen to. */
    useNotedTime: number;
  }
}

const guarded = 'guardsAccess';

/** Stops the start where a route below `/api` does not say who may call it, or where nothing would ask. */
export function demandAccess(app: FastifyInstance): void {
  app.addHook('onRoute', function (this: FastifyInstance, { method, url, config }: RouteOptions) {
    const isApi = /^\/api(\/|$)/i.test(url);
    const route = `${method} ${url}`;
    if (isApi !== this.hasDecorator(guarded))
      throw new Error(`${route} is on the wrong side of the access hook`);
    if (isApi && !isAuth(config?.auth))
      throw new Error(`${route} does not declare who may call it (config.auth)`);
  });
}

function isAuth(auth: unknown): auth is Auth {
  return typeof auth === 'string' && Object.hasOwn(demandsOf, auth);
}

/** Everything in this scope is asked for, whatever the request calls it: the router alone knows where it leads. */
export function guardApi(scope: FastifyInstance, deps: Deps): void {
  const findViewer = createFindViewer(deps);
  const { rateLimit, uploadRateLimit } = deps.config;
  const spend = createRateLimit(scope.shared, 'api', rateLimit);
  const spendOnUploads = createRateLimit(scope.shared, 'uploads', uploadRateLimit);
  watchAttempts(scope, deps);
  scope.decorate(guarded, true);
  scope.decorateRequest('viewer', undefined);

  scope.addHook('onRequest', async (request, reply) => {
    keepPrivate(reply);
    const isUnknown = request.is404 || hasEmptySegment(request);
    const { config } = request.routeOptions;
    // What no route takes needs no rights, but it counts like any other call.
    const auth = isUnknown ? 'none' : config.auth;
    const found = auth === 'none' ? undefined : await findViewer(request).catch(asError);
    const viewer = found instanceof ApiError ? undefined : found;
    if (found instanceof ApiError) request.attempt.audited ??= tokenUse;
    await (config.isUploading ? spendOnUploads : spend)(callerKey(viewer, request), reply);
    if (found instanceof ApiError) throw found;
    admit(request, auth, viewer);
    if (isUnknown && !request.is404) throw errors.notFound();
    request.viewer = viewer;
    request.useNotedTime = deps.clock();
  });

  const keepInUse = createKeepInUse(deps);
  scope.decorateRequest('useNotedTime', 0);
  scope.decorateRequest('keepInUse', function (this: FastifyRequest) {
    keepInUse(this);
  });

  scope.decorateRequest('confirmViewer', async function (this: FastifyRequest) {
    const { auth } = this.routeOptions.config;
    if (this.is404 || auth === 'none') return;
    this.viewer = await findViewer(this);
    admit(this, auth, this.viewer);
  });

  scope.addHook('preValidation', (request, _reply, done) => {
    if (!hasBody(request)) return done();
    request.confirmViewer().then(() => done(), done);
  });

  scope.setErrorHandler(async (error, request, reply) => {
    const reason = lacksReferred(error) ? await request.confirmViewer().catch(asError) : undefined;
    return handleError(reason ?? error, request, reply);
  });
}

/** Whether the account of the caller may have been erased while the request ran. */
function lacksReferred(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && error.lacksReferred;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers;
}

/**
 * An answer to one caller is for no other: caches that share must not keep it, whatever their operator told them.
 * What holds a secret says more itself.
 */
function keepPrivate(reply: FastifyReply): void {
  reply.header('Cache-Control', 'private, no-cache');
  addVary(reply, 'Authorization, Cookie');
}

/** Logs a refused admin call by a signed-in user to the audit log. Throws like `checkAccess`. */
function admit(request: FastifyRequest, auth: Auth | undefined, viewer: Viewer | undefined): void {
  try {
    checkAccess(auth, viewer, request.method);
  } catch (error) {
    if (viewer && isAuth(auth) && 'admin' in demandsOf[auth]) request.attempt.audited ??= adminUse;
    throw error;
  }
}

/** Throws unauthenticated or forbidden; internal where a route declares no access, which the start refuses. */
function checkAccess(auth: Auth | undefined, viewer: Viewer | undefined, method: string): void {
  if (!isAuth(auth)) throw new Error('a route without access was reached');
  const demands: Demands = demandsOf[auth];
  if (demands.viewer && !viewer) throw errors.unauthenticated();
  if (demands.session) refuseKey(viewer);
  if (viewer?.isReadOnly && method !== 'GET' && method !== 'HEAD') {
    throw errors.forbidden({ message: 'This API key may only read' });
  }
  if (demands.admin && !viewer?.isAdmin) throw errors.forbidden();
}

/** An API key never does what concerns the security of accounts. Throws forbidden. */
export function refuseKey(viewer: Viewer | undefined): void {
  if (viewer && viewer.sessionId === 0) {
    throw errors.forbidden({ message: 'Not possible with an API key; log in' });
  }
}

function asError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
