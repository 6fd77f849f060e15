/**
 * Tests OpenID providers that are set up wrongly, lie, redirect without an end or answer without an end. No sign-in
 * succeeds, and the log names the cure in one sentence.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import type { OidcSettings } from '../../../server/config-oidc.ts';
import { startGallery } from '../../support/harness.ts';
import { createCookieBrowser, oidcClient } from '../../support/oidc.ts';
import { type ProviderKind, providerKinds, startProviderKind } from '../../support/oidc-kinds.ts';

const begin = '/api/auth/oidc';
type Meddle = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;
type Provider = Awaited<ReturnType<typeof startProviderKind>>;

interface WrongSetup {
  kind?: Partial<ProviderKind>;
  settings?: Partial<OidcSettings>;
  /** Fields of the metadata. */
  metadata?: (provider: Provider) => object;
  meddle?: Meddle;
  clock?: number;
  cure: RegExp;
  problem?: 'unreachable';
}

const metadataPath = '/.well-known/openid-configuration';
const sendError =
  (path: string, status: number, body: object): Meddle =>
  (_request, response, asked) => {
    if (asked !== path) return false;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  };

/** Writes a body of the type JSON that never ends. */
const answerWithoutEnd =
  (path: string): Meddle =>
  (_request, response, asked) => {
    if (asked !== path) return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"padding": "');
    const chunk = 'x'.repeat(64 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
    return true;
  };

const redirectForever =
  (path: string): Meddle =>
  (request, response, asked) => {
    if (asked !== path) return false;
    response.writeHead(302, { location: `${request.url}?again` }).end();
    return true;
  };

const wrongSetups: Record<string, WrongSetup> = {
  'another issuer': {
    metadata: () => ({ issuer: 'https://public.example.org' }),
    problem: 'unreachable',
    cure: /calls itself "https:\/\/public\.example\.org": set OIDC_ISSUER to exactly that text/,
  },
  'an issuer without its path': {
    kind: { path: '/realms/home' },
    settings: { issuer: '' },
    problem: 'unreachable',
    cure: /no metadata are at OIDC_ISSUER: copy the issuer from the provider, with its whole path/,
  },
  'an issuer that redirects without an end': {
    meddle: redirectForever(metadataPath),
    problem: 'unreachable',
    cure: /the provider redirects: set OIDC_ISSUER/,
  },
  'metadata without an end': {
    meddle: answerWithoutEnd(metadataPath),
    problem: 'unreachable',
    cure: /sent more than a megabyte/,
  },
  'metadata of another program': {
    metadata: () => ({ authorization_endpoint: 'javascript:alert(1)' }),
    problem: 'unreachable',
    cure: /not those of an OpenID provider/,
  },
  'a host name that nobody knows': {
    settings: { issuer: 'https://id.invalid' },
    problem: 'unreachable',
    cure: /the host of OIDC_ISSUER is unknown|DNS of this machine/,
  },
  'a port where nothing listens': {
    settings: { issuer: 'http://127.0.0.1:2' },
    problem: 'unreachable',
    cure: /nothing listens at the address of OIDC_ISSUER/,
  },
  'https where the provider speaks http': {
    settings: { issuer: 'https' },
    problem: 'unreachable',
    cure: /speaks no TLS at this port: check http or https/,
  },
  'a proxy in front of a stopped provider': {
    meddle: sendError(metadataPath, 502, {}),
    problem: 'unreachable',
    cure: /answers 502: start the provider/,
  },
  'a wrong secret': {
    settings: { clientSecret: 'not the secret' },
    cure: /refuses the client.*: check OIDC_CLIENT_ID,? (and )?OIDC_CLIENT_SECRET/,
  },
  'a fixed way that the provider refuses': {
    settings: { authMethod: 'client_secret_basic' },
    cure: /OIDC_AUTH_METHOD/,
  },
  'another redirect URI': {
    meddle: sendError('/token', 400, { error: 'invalid_grant' }),
    cure: /register exactly http:\/\/127\.0\.0\.1:\d+\/api\/auth\/oidc\/callback as redirect URI, set BASE_URL/,
  },
  'a clock that is slow at the gallery': { clock: 600, cure: /the clocks .* differ/ },
  'a clock that is fast at the gallery': { clock: -600, cure: /the clocks .* differ/ },
  'a signature that the metadata do not name': {
    kind: { alg: 'HS256' },
    metadata: () => ({ id_token_signing_alg_values_supported: ['RS256'] }),
    cure: /give the client a signing key there, or set OIDC_SIGNING_ALG/,
  },
  'HS256 beside a real signature': {
    kind: { alg: 'HS256' },
    metadata: () => ({ id_token_signing_alg_values_supported: ['RS256', 'HS256'] }),
    cure: /give the client a signing key there, or set OIDC_SIGNING_ALG/,
  },
  'no signature at all': {
    metadata: () => ({ id_token_signing_alg_values_supported: ['none'] }),
    cure: /set OIDC_SIGNING_ALG/,
  },
  'keys of another provider': {
    meddle: sendError('/jwks', 200, { keys: [] }),
    cure: /the keys of the provider do not fit/,
  },
  'keys without an end': { meddle: answerWithoutEnd('/jwks'), cure: /sent more than a megabyte/ },
  'a token answer without an end': { meddle: answerWithoutEnd('/token'), cure: /sent more than a megabyte/ },
  'a token endpoint that redirects without an end': {
    meddle: redirectForever('/token'),
    cure: /the provider redirects|read the log of the provider/,
  },
  'no ID token': {
    meddle: sendError('/token', 200, { access_token: 'x', token_type: 'Bearer' }),
    cure: /OIDC_SCOPE must contain openid/,
  },
  'scopes that the provider refuses': {
    meddle: (request, response, path) => {
      if (path !== '/authorize') return false;
      const asked = new URL(request.url!, 'http://x').searchParams;
      const back = `${asked.get('redirect_uri')}?error=invalid_scope&state=${asked.get('state')}&iss=http://${request.headers.host}`;
      response.writeHead(303, { location: back }).end();
      return true;
    },
    cure: /refuses the scopes "openid profile email": change OIDC_SCOPE/,
  },
  'no email, neither in the token nor in userinfo': {
    kind: { claimsOfScope: { profile: ['name'] } },
    cure: /sent no email: add the scope email to OIDC_SCOPE/,
  },
};

describe('an OpenID provider that is set up wrongly', () => {
  for (const [name, setup] of Object.entries(wrongSetups)) {
    test(`signs nobody in, and the log names the cure: ${name}`, async (context) => {
      const provider = await startProviderKind({ ...providerKinds.Google, ...setup.kind }, setup.meddle);
      context.after(() => provider.close());
      provider.describe(setup.metadata?.(provider) ?? {});
      provider.setClock(setup.clock ?? 0);
      provider.signIn('1', { email: 'ann@example.org', email_verified: true, name: 'Ann' });
      const { issuer = provider.issuer, ...settings } = setup.settings ?? {};
      const own = await startGallery({
        oidc: {
          ...oidcClient,
          ...{ name: 'Club', adminClaim: undefined },
          issuer: issuer === 'https' ? provider.origin.replace('http:', 'https:') : issuer || provider.origin,
          ...settings,
        },
      });
      context.after(() => own.close());
      const traveller = createCookieBrowser();
      const led = await traveller.travel(own.url + begin, own.url);
      assert.equal(led, `/sign-in?problem=${setup.problem ?? 'refused'}`);
      assert.equal(traveller.jars.get(own.url)?.has('lightwell_session') ?? false, false);
      const lines = own.complaints().map((line) => JSON.parse(line) as { msg: string; cure?: string });
      assert.match(lines.map(({ msg, cure = '' }) => `${msg} ${cure}`).join('\n'), setup.cure);
      assert.ok(!JSON.stringify(lines).includes(oidcClient.clientSecret), 'the log has no secret');
      assert.ok(provider.visits.length < 12, 'the gallery follows no redirect');
    });
  }
});
