/** Two OpenID providers: a real one that signs users in without a form, and one that sends false tokens. */
/// <reference path="./oidc-provider.d.ts" />
import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const oidcClient = {
  clientId: 'lightwell',
  clientSecret: 'a secret of the provider and us',
  authMethod: undefined,
  signingAlg: undefined,
  scope: 'openid profile email',
};

/** Claims that the provider sends about a user, besides `sub`. */
export type ProviderClaims = Record<string, unknown>;

async function listen(serve: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/**
 * Starts a certified provider. `signIn` selects the user at the browser, `refuse` makes the provider refuse
 * every sign-in.
 */
export async function startProvider() {
  const people = new Map<string, ProviderClaims>();
  let current = '';
  let isRefusing = false;
  let provider: Provider | undefined;

  const { server, url } = await listen(async (request, response) => {
    if (!provider) return response.writeHead(503).end();
    if (!request.url!.startsWith('/interaction/')) return provider.callback()(request, response);
    const { prompt, params } = await provider.interactionDetails(request, response);
    const result = await answerInteraction(prompt.name, params);
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  });

  async function answerInteraction(asked: string, params: Record<string, unknown>) {
    if (isRefusing) return { error: 'access_denied', error_description: 'The person said no' };
    if (asked === 'login') return { login: { accountId: current } };
    return { consent: { grantId: await createGrant(params) } };
  }

  async function createGrant({ client_id }: Record<string, unknown>): Promise<string> {
    const given = new provider!.Grant({ accountId: current, clientId: String(client_id) });
    given.addOIDCScope('openid profile email');
    return given.save();
  }

  return {
    issuer: url,
    /** Registers a URL to which the provider may redirect browsers. */
    know(redirectUri: string): void {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      provider = new Provider(url, {
        clients: [
          {
            client_id: oidcClient.clientId,
            client_secret: oidcClient.clientSecret,
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
        cookies: { keys: [randomBytes(16).toString('hex')] },
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['name', 'preferred_username', 'groups'],
        },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_, { uid }) => `/interaction/${uid}` },
        findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
        pkce: { required: () => true },
      });
    },
    signIn(sub: string, person: ProviderClaims): void {
      current = sub;
      isRefusing = false;
      people.set(sub, person);
    },
    /** Makes the provider refuse sign-ins until the next `signIn`. */
    refuse(): void {
      isRefusing = true;
    },
    /** Stops the server, like a provider that restarts. */
    goDown: () => close(server),
    close: () => close(server),
  };
}

export interface FalseTokenClaims {
  iss?: string;
  aud?: string;
  nonce?: string;
  exp?: number;
  nbf?: number;
  /** Additional fields of the token header, besides the id of the key. */
  header?: object;
  /** If true, signs the token with a key that does not belong to the provider. */
  isForged?: boolean;
  /** The key of an HMAC that replaces the signature. */
  mac?: string | Buffer;
  isUnsigned?: boolean;
  /** The status of the token endpoint if it is not 200. */
  status?: number;
}

/**
 * Starts a provider with one user. The provider's token endpoint returns the claims that the test sets, and
 * records its requests.
 */
export async function startLyingProvider() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let lies: FalseTokenClaims = {};
  let nonce = '';
  const verifiers: string[] = [];
  const visits: string[] = [];
  const strangersKey = { ...other.publicKey.export({ format: 'jwk' }), kid: 'k' };

  const { server, url } = await listen(async (request, response) => {
    const sendJson = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    visits.push(request.url!);
    if (request.url === '/.well-known/openid-configuration') return sendJson(createMetadata());
    if (request.url === '/theirs') return sendJson({ keys: [strangersKey] });
    if (request.url === '/jwks')
      return sendJson({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] });
    let body = '';
    for await (const chunk of request) body += chunk;
    verifiers.push(new URLSearchParams(body).get('code_verifier') ?? '');
    if (lies.status !== undefined) return sendJson({ error: 'invalid_grant' }, lies.status);
    return sendJson({ access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: idToken() });
  });

  const createMetadata = () => ({
    issuer: url,
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    // Lists several algorithms, like providers that let each client choose.
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  });

  function idToken(): string {
    const now = Math.floor(Date.now() / 1000);
    const encodePart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { iss: url, aud: oidcClient.clientId, sub: 'liar', iat: now, exp: now + 60, nonce };
    const { header, isForged, mac: _mac, isUnsigned: _isUnsigned, status: _status, ...said } = lies;
    const head = encodePart({ alg: 'RS256', kid: 'k', ...header });
    const signed = `${head}.${encodePart({ ...claims, email: 'liar@example.org', ...said })}`;
    return `${signed}.${signText(signed, isForged).toString('base64url')}`;
  }

  function signText(text: string, isForged = false): Buffer {
    if (lies.isUnsigned) return Buffer.alloc(0);
    if (lies.mac !== undefined) return createHmac('sha256', lies.mac).update(text).digest();
    return sign('sha256', Buffer.from(text), isForged ? other.privateKey : privateKey);
  }

  return {
    issuer: url,
    /** Sets the claims of the next response. `asked` is the nonce that the gallery sent. */
    say(asked: string, what: FalseTokenClaims): void {
      nonce = asked;
      lies = what;
    },
    verifiers,
    /** The paths of all requests to the provider. */
    visits,
    publicKey,
    /** Public key of the forging key, which `/theirs` serves as well. */
    strangersKey,
    close: () => close(server),
  };
}

/** Returns the PKCE challenge for a verifier. */
export function computeChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Creates a browser that stores cookies by host and port, and follows redirects. */
export function createCookieBrowser() {
  const jars = new Map<string, Map<string, string>>();

  async function visitUrl(url: string): Promise<Response> {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { ...(cookie && { cookie }) } });
    for (const text of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(text)!;
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(text)) jar.delete(name!);
      else jar.set(name!, value!);
    }
    return response;
  }

  return {
    jars,
    visitUrl,
    /** Follows redirects until a response has none, or until a page of `home`. Returns the last URL. */
    async travel(url: string, home: string, most = 12): Promise<string> {
      const response = await visitUrl(url);
      await response.arrayBuffer();
      const next = response.headers.get('location');
      if (next === null || most === 0) return url;
      const there = new URL(next, url);
      const isPage = there.origin === home && !there.pathname.startsWith('/api/');
      return isPage ? there.pathname + there.search : this.travel(there.href, home, most - 1);
    },
  };
}
