/**
 * OpenID providers that behave like well-known ones: how they authenticate the gallery, sign ID tokens, and spread
 * claims over ID token and userinfo. Like real providers, they refuse wrong credentials, codes and redirect URIs.
 */
import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { computeChallenge, oidcClient, type ProviderClaims } from './oidc.ts';

export interface ProviderKind {
  /** Path of the issuer below its host. */
  path: string;
  /** The one way in which the client must identify itself. The metadata list more, as those of real providers do. */
  accepts: 'client_secret_basic' | 'client_secret_post' | 'none';
  alg: 'RS256' | 'ES256' | 'HS256';
  /** Scopes besides `openid` that carry claims, with the names of these claims. */
  claimsOfScope: Record<string, string[]>;
  /** Claims that only the userinfo endpoint sends. */
  onlyInUserinfo: string[];
  metadata?: object;
}

const standardScopes = { profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] };

export const providerKinds = {
  Authelia: {
    path: '',
    accepts: 'client_secret_basic',
    alg: 'RS256',
    claimsOfScope: { ...standardScopes, groups: ['groups'] },
    onlyInUserinfo: ['name', 'preferred_username', 'email', 'email_verified', 'groups'],
  },
  'Authentik without a signing key': {
    path: '/application/o/lightwell/',
    accepts: 'client_secret_post',
    alg: 'HS256',
    claimsOfScope: { ...standardScopes, profile: ['name', 'preferred_username', 'groups'] },
    onlyInUserinfo: [],
  },
  Keycloak: {
    path: '/realms/home',
    accepts: 'client_secret_post',
    alg: 'RS256',
    claimsOfScope: { ...standardScopes, roles: ['realm_access'] },
    onlyInUserinfo: ['realm_access'],
  },
  'Pocket ID': {
    path: '',
    accepts: 'none',
    alg: 'ES256',
    claimsOfScope: { ...standardScopes, groups: ['groups'] },
    onlyInUserinfo: [],
  },
  Google: {
    path: '',
    accepts: 'client_secret_post',
    alg: 'RS256',
    claimsOfScope: standardScopes,
    onlyInUserinfo: [],
    metadata: { authorization_response_iss_parameter_supported: true },
  },
} as const satisfies Record<string, ProviderKind>;

interface PendingCode {
  redirectUri: string;
  challenge: string;
  nonce: string;
  scopes: string[];
}

/** Starts a provider of a kind. `meddle` may answer a request instead, and returns true if it did. */
export async function startProviderKind(
  kind: ProviderKind,
  meddle: (request: IncomingMessage, response: ServerResponse, path: string) => boolean = () => false,
) {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const codes = new Map<string, PendingCode>();
  const tokens = new Map<string, PendingCode>();
  const visits: string[] = [];
  let person: ProviderClaims = {};
  let extra: object = {};
  let clockOffset = 0;

  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = origin + kind.path;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, origin);
    visits.push(pathname);
    if (meddle(request, response, pathname)) return;
    const sendJson = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === `${kind.path.replace(/\/$/, '')}/.well-known/openid-configuration`)
      return void sendJson(200, describeProvider());
    if (pathname === '/jwks') return void sendJson(200, kind.alg === 'HS256' ? {} : { keys: listKeys() });
    if (pathname === '/authorize') return authorize(searchParams, response);
    if (pathname === '/userinfo') {
      const grant = tokens.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
      if (grant) return void sendJson(200, { sub: person.sub, ...selectClaims(grant) });
      return void sendJson(401, { error: 'invalid_token' });
    }
    if (pathname !== '/token') return void sendJson(404, {});
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = new URLSearchParams(text);
    if (!isClient(request, body)) return void sendJson(401, { error: 'invalid_client' });
    const grant = codes.get(body.get('code') ?? '');
    codes.delete(body.get('code') ?? '');
    const isRight =
      grant?.redirectUri === body.get('redirect_uri') &&
      grant?.challenge === computeChallenge(body.get('code_verifier') ?? '');
    if (!grant || !isRight) return void sendJson(400, { error: 'invalid_grant' });
    const token = randomBytes(16).toString('hex');
    tokens.set(token, grant);
    sendJson(200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: 60,
      id_token: createToken(grant),
    });
  }

  function authorize(asked: URLSearchParams, response: ServerResponse): void {
    const redirectUri = asked.get('redirect_uri')!;
    const back = new URL(redirectUri);
    const code = randomBytes(16).toString('hex');
    codes.set(code, {
      redirectUri,
      challenge: asked.get('code_challenge')!,
      nonce: asked.get('nonce')!,
      scopes: asked.get('scope')!.split(' '),
    });
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state')!);
    back.searchParams.set('iss', issuer);
    response.writeHead(303, { location: back.href }).end();
  }

  const describeProvider = () => ({
    issuer,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    userinfo_endpoint: `${origin}/userinfo`,
    jwks_uri: `${origin}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    id_token_signing_alg_values_supported: [kind.alg],
    ...kind.metadata,
    ...extra,
  });

  function listKeys() {
    const describe = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid, use: 'sig' });
    return [describe(rsa.publicKey, 'RS256'), describe(ec.publicKey, 'ES256')];
  }

  function isClient({ headers }: IncomingMessage, body: URLSearchParams): boolean {
    const { clientId, clientSecret } = oidcClient;
    const basic = `Basic ${Buffer.from([clientId, clientSecret].map(encodeForm).join(':')).toString('base64')}`;
    const isNamed = body.get('client_id') === clientId;
    if (kind.accepts === 'client_secret_basic')
      return headers.authorization === basic && !body.has('client_secret');
    if (headers.authorization !== undefined) return false;
    if (kind.accepts === 'none') return isNamed && !body.has('client_secret');
    return isNamed && body.get('client_secret') === clientSecret;
  }

  const selectClaims = ({ scopes }: PendingCode) =>
    Object.fromEntries(
      scopes
        .flatMap((scope) => kind.claimsOfScope[scope] ?? [])
        .filter((name) => name in person)
        .map((name) => [name, person[name]]),
    );

  function createToken(grant: PendingCode): string {
    const now = Math.floor(Date.now() / 1000) + clockOffset;
    const said = Object.entries(selectClaims(grant)).filter(([name]) => !kind.onlyInUserinfo.includes(name));
    const claims = {
      ...{ iss: issuer, aud: oidcClient.clientId, sub: person.sub, iat: now, nbf: now, exp: now + 300 },
      nonce: grant.nonce,
      ...Object.fromEntries(said),
    };
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${encode({ alg: kind.alg, ...(kind.alg !== 'HS256' && { kid: kind.alg }) })}.${encode(claims)}`;
    return `${text}.${signText(text).toString('base64url')}`;
  }

  function signText(text: string): Buffer {
    if (kind.alg === 'HS256') return createHmac('sha256', oidcClient.clientSecret).update(text).digest();
    if (kind.alg === 'RS256') return sign('sha256', Buffer.from(text), rsa.privateKey);
    return sign('sha256', Buffer.from(text), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
  }

  return {
    issuer,
    origin,
    /** Paths of all requests to the provider. */
    visits,
    signIn(sub: string, claims: ProviderClaims): void {
      person = { sub, ...claims };
    },
    /** Replaces fields of the metadata. */
    describe(fields: object): void {
      extra = fields;
    },
    /** Sets the provider's clock, in seconds ahead of the right time. */
    setClock(seconds: number): void {
      clockOffset = seconds;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Encodes a text as forms do, which OAuth prescribes for credentials in a Basic header. */
function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
