/**
 * Defines the routes for signing in with an OpenID provider, and for connecting and disconnecting an account. A
 * browser always ends on a page, even after an error.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { clientAddress, getIpAddressKey } from '../../../platform/connections/address.ts';
import { ApiError, errors } from '../../../platform/errors/catalogue.ts';
import type { App } from '../../../platform/http/app.ts';
import { getBaseUrl } from '../../../platform/http/base-url.ts';
import { messageResponse, resultResponse } from '../../../platform/http/envelope.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { localPath } from '../../../platform/http/local-path.ts';
import { createThrottle } from '../../../platform/http/rate-limiters.ts';
import type { AuditedAction } from '../../identity/attempts/watch.ts';
import { isCrossSiteNavigation, readSessionCookie, refuseCrossOriginPages } from '../../identity/cookie.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { findSession } from '../../identity/sessions.ts';
import { createConfirmPassword } from '../confirm.ts';
import { setChallengeCookie } from '../factor/challenge-cookie.ts';
import { hasLinkedIdentity } from '../linked-identities.ts';
import { createCheckCanRegister, type RegistrationLink } from '../registration/can-register.ts';
import { createSignIn } from '../sessions/sign-in.ts';
import { findOrCreateOidcAccount, linkAccountToProvider, unlinkAccountFromProvider } from './accounts.ts';
import { consumeOidcFlowCookie, type OidcFlow, setOidcFlowCookie } from './flow.ts';
import { createOidcProvider, type OidcFlowSecrets } from './provider.ts';
import * as schema from './schema.ts';

const oidcRoutesPath = '/api/auth/oidc';
/** Linking an identity writes an audit entry of its own, so only failed attempts are counted. */
const linkAction: AuditedAction = { action: 'oidc.link' };
const securityPage = '/settings/security';
/**
 * Maximum number of failed sign-ins per minute from one IP address. Each failed sign-in may cost a request to the
 * OpenID provider.
 */
const failuresPerAddress = 50;

/** Part of the stored sign-in state that says where the browser started and where it goes next. */
type FlowStart = Omit<OidcFlow, keyof OidcFlowSecrets>;

/** Defines the routes of OpenID Connect. Routes that need the provider throw notFound if none is configured. */
export async function oidcRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'OpenID Connect');
  const provider = createOidcProvider(deps);
  const confirm = createConfirmPassword(deps, app.shared);
  const signIn = createSignIn(deps);
  const throttle = createThrottle(app.shared, 'oidc-address', failuresPerAddress);
  const checkMayJoin = createCheckCanRegister(deps, app.shared);

  const redirectUri = (request: FastifyRequest) =>
    `${getBaseUrl(request, deps.config)}${oidcRoutesPath}/callback`;

  /** Starts a sign-in at the OpenID provider and stores its state in a cookie. Returns the provider's URL. */
  async function begin(request: FastifyRequest, reply: FastifyReply, way: FlowStart) {
    if (!deps.config.oidc) throw errors.notFound();
    const { url, checks } = await provider.begin(redirectUri(request));
    setOidcFlowCookie(deps, request, reply, { ...checks, ...way });
    return url;
  }

  /**
   * Finishes a sign-in at the OpenID provider, or links the account. Returns the path to which the browser goes
   * next.
   */
  async function finish(
    request: FastifyRequest & { query: Record<string, string | undefined> },
    reply: FastifyReply,
    flow: OidcFlow,
  ): Promise<string> {
    const address = getIpAddressKey(clientAddress(request));
    await throttle.consume(address);
    const said = await provider.finish(callbackUrl(redirectUri(request), request.query), flow);
    const claims = { ...said, language: languageOf(request) };
    await throttle.refund(address);
    if (flow.session === 0) {
      const user = await findOrCreateOidcAccount(deps, claims, { attempt: request.attempt, link: flow });
      await signIn(user, request, reply, true);
      return flow.to;
    }
    const account = await getSessionUserId(request, flow.session);
    request.attempt.account = account;
    await linkAccountToProvider(deps, { userId: account, sessionId: flow.session }, claims);
    return flow.to;
  }

  /**
   * Returns the account of the session that started linking. The same browser must still use that session, so that
   * a flow started elsewhere links nothing here. Throws badToken.
   */
  async function getSessionUserId(request: FastifyRequest, sessionId: number): Promise<number> {
    const token = readSessionCookie(request, deps.config);
    const session = token === undefined ? undefined : await findSession(deps, token);
    if (session?.id !== sessionId) throw errors.badToken();
    return session.user_id;
  }

  api.get(oidcRoutesPath, {
    auth: 'none',
    operationId: 'loginByOidc',
    summary: 'Sign in with the OpenID provider',
    description:
      'For browsers. Redirects to the provider that `GET /api/site` names. After the sign-in, the ' +
      'session cookie is set and the browser is redirected to `to`. After a failure, the browser is ' +
      'redirected to `/sign-in` with the parameter `problem`. `problem=second` asks for the second ' +
      'factor. The challenge then follows `#`; after a dot, so does the code of the setup link, if ' +
      'there was one. A page of another site can redirect only to `/sign-in`.',
    querystring: schema.BeginOidcQuery,
    config: { openToVisitors: true, produces: ['text/html'], attempt: { action: 'login.oidc' } },
    refusals: ['notFound'],
    handler: async (request, reply) => {
      const to = localPath(request.query.to);
      if (!deps.config.oidc) throw errors.notFound();
      // Show the sign-in page, where the user must click, so that another site cannot sign its visitors in to an
      // account.
      if (isCrossSiteNavigation(request)) {
        const back = to === '/' ? '' : `?to=${encodeURIComponent(to)}`;
        return reply.header('Cache-Control', 'no-store').redirect(`/sign-in${back}`, 303);
      }
      return redirectOrShowProblem(deps, request, reply, {
        find: () => begin(request, reply, { to, session: 0 }),
        way: { to, session: 0 },
      });
    },
  });

  api.post(oidcRoutesPath, {
    auth: 'none',
    config: { openToVisitors: true, attempt: { action: 'login.oidc' } },
    operationId: 'joinByOidc',
    summary: 'Sign in with the OpenID provider, with an invite or a setup link',
    description:
      'The browser must follow `url`. A person without an account gets one by the `invite`, or as ' +
      'the first admin by the code `setup`. An invite counts one use when the account is created. ' +
      'An invalid invite is refused with 10007, an invalid setup code with 403. At most 10 attempts ' +
      'a minute.',
    body: schema.OidcLoginByLink,
    answer: schema.OidcLinkUrl,
    refusals: ['notFound', 'forbidden', 'registrationClosed', 'busy'],
    handler: async (request, reply) => {
      const { to, invite, setup, access } = request.body;
      if (!deps.config.oidc) throw errors.notFound();
      refuseCrossOriginPages(request, deps.config);
      if (invite !== undefined || setup !== undefined)
        await checkMayJoin({ invite, setup }, getIpAddressKey(clientAddress(request)));
      const way = { to: localPath(to), session: 0, invite, setup, access };
      return resultResponse('Open the URL to continue', { url: await begin(request, reply, way) });
    },
  });

  api.get(`${oidcRoutesPath}/callback`, {
    auth: 'none',
    operationId: 'finishLoginByOidc',
    summary: 'Return from the OpenID provider',
    description: 'The redirect URI of this gallery at the provider.',
    querystring: schema.OidcCallbackQuery,
    config: {
      openToVisitors: true,
      produces: ['text/html'],
      attempt: { action: 'login.oidc', countsSuccess: true },
    },
    refusals: ['notFound'],
    handler: async (request, reply) => {
      if (!deps.config.oidc) throw errors.notFound();
      const flow = consumeOidcFlowCookie(deps, request, reply, request.query.state);
      const finishOptions = () => (flow ? finish(request, reply, flow) : Promise.reject(flowExpiredError()));
      if (flow !== undefined && flow.session !== 0) request.attempt.audited = linkAction;
      return redirectOrShowProblem(deps, request, reply, { find: finishOptions, way: flow });
    },
  });

  api.get(`${oidcRoutesPath}/link`, {
    auth: 'session',
    operationId: 'getOidcLink',
    summary: 'Get my connection with the OpenID provider',
    description: 'Returns whether a sign-in at the provider opens my account.',
    answer: schema.OidcLinkStatus,
    refusals: ['forbidden'],
    handler: async ({ viewer }) => ({ is_linked: await hasLinkedIdentity(deps, viewer.id) }),
  });

  api.post(`${oidcRoutesPath}/link`, {
    auth: 'session',
    config: { attempt: linkAction },
    operationId: 'linkOidc',
    summary: 'Connect my account to the OpenID provider',
    description:
      'Needs a session cookie. The browser must follow `url`, and returns to the account settings ' +
      'afterwards.',
    body: schema.OidcLinkRequest,
    answer: schema.OidcLinkUrl,
    refusals: ['notFound', 'forbidden', 'wrongOldPassword', 'busy'],
    handler: async (request, reply) => {
      const { viewer, body } = request;
      await confirm(viewer, body.password);
      const way = { to: securityPage, session: viewer.sessionId };
      return resultResponse('Open the URL to continue', { url: await begin(request, reply, way) });
    },
  });

  api.delete(`${oidcRoutesPath}/link`, {
    auth: 'session',
    config: { attempt: linkAction },
    operationId: 'unlinkOidc',
    summary: 'Disconnect my account from the OpenID provider',
    description: 'Needs the password, because an account without a password could not sign in again.',
    body: schema.OidcLinkRequest,
    refusals: ['notFound', 'forbidden', 'wrongOldPassword'],
    handler: async (request) => {
      const user = await confirm(request.viewer, request.body.password);
      if (!(await unlinkAccountFromProvider(deps, user, languageOf(request)))) throw errors.notFound();
      return messageResponse('Disconnected');
    },
  });
}

/** Returns a query parameter for the sign-in page: the page to open after the sign-in. */
function returnPath(to = '/'): string {
  return to === '/' ? '' : `to=${encodeURIComponent(to)}&`;
}

/**
 * Returns the page to show after a failed sign-in at the provider: the page where the user started and can try
 * again. A failed attempt uses up no link.
 */
function failurePage(problem: string, way: Partial<FlowStart> = {}): string {
  const { session = 0, setup, invite, to } = way;
  if (session !== 0) return `${securityPage}?problem=${problem}`;
  if (setup !== undefined) return `/first-run?problem=${problem}#${encodeURIComponent(setup)}`;
  if (invite !== undefined) return `/join/${encodeURIComponent(invite)}?problem=${problem}`;
  return `/sign-in?${returnPath(to)}problem=${problem}`;
}

/**
 * Redirects the browser to a page of the gallery or to the provider. After an error, redirects to the page where
 * the user started, which shows the problem.
 */
async function redirectOrShowProblem(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { find, way }: { find(): Promise<string>; way: FlowStart | undefined },
): Promise<FastifyReply> {
  const where = await find().catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code === errors.notFound().code) throw error;
    request.attempt.error = error;
    if (error.code === errors.secondFactor().code) {
      const { challenge, expires_in } = error.data as { challenge: string; expires_in: number };
      setChallengeCookie(deps, request, reply, { challenge, seconds: expires_in });
      // The challenge and the unused setup code stand after `#`, because logs do not contain that part of a
      // URL.
      const codes = [challenge, ...(way?.setup === undefined ? [] : [way.setup])].join('.');
      return `/sign-in?${returnPath(way?.to)}problem=second#${codes}`;
    }
    return failurePage(problemName(error, way), way);
  });
  return reply.header('Cache-Control', 'no-store').redirect(where, 303);
}

/** Returns the name of the problem in a failed sign-in, as the pages of the web gallery expect it. */
function problemName({ code }: ApiError, { invite, setup }: RegistrationLink = {}): string {
  const isByLink = invite !== undefined || setup !== undefined;
  if (isByLink && code === errors.registrationClosed().code) return 'link';
  return problemByErrorCode.get(code) ?? 'refused';
}

const problemByErrorCode = new Map([
  [errors.busy().code, 'unreachable'],
  [errors.tooManyRequests().code, 'busy'],
  [errors.emailTaken().code, 'email'],
  [errors.registrationClosed().code, 'closed'],
  [errors.accountDisabled().code, 'disabled'],
  [errors.badToken().code, 'expired'],
]);

function flowExpiredError(): Error {
  return errors.badToken({
    message: 'This sign-in has expired, or was started in another browser. Start again.',
  });
}

/** Returns the full URL to which the OpenID provider sent the browser back. */
function callbackUrl(redirectUri: string, said: Record<string, string | undefined>): URL {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(said))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
}
