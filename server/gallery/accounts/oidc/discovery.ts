/**
 * Reads from the metadata of the OpenID provider how the gallery identifies itself there, and how ID tokens are
 * signed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import type { OidcAuthMethod, OidcSettings } from '../../../config-oidc.ts';
import { fetchBounded } from './bounded-fetch.ts';

/** Time limit in seconds of every request to the provider. */
const timeoutSeconds = 10;

/** Loads the OpenID library at the first use, because it costs memory that many galleries do not need. */
export const loadOidcLibrary = () => import('openid-client');
type OidcLibrary = Awaited<ReturnType<typeof loadOidcLibrary>>;

export interface DiscoveredProvider {
  configuration: Configuration;
  hasUserInfo: boolean;
  /** Whether ID tokens are signed with the client secret. The library does not check such signatures. */
  isSignedWithSecret: boolean;
  /**
   * Calls `exchange`, and once more if the provider refuses the way in which the gallery identifies itself. A provider
   * often supports two ways and accepts one of them for this client.
   */
  authenticate<Result>(exchange: () => Promise<Result>): Promise<Result>;
}

/** Fetches the provider's metadata. Rejects with an error of the OpenID library, of `fetch`, or about the metadata. */
export async function discoverProvider(settings: OidcSettings): Promise<DiscoveredProvider> {
  const client = await loadOidcLibrary();
  let methods: OidcAuthMethod[] = [];
  let current = 0;
  const authenticateClient: ClientAuth = (...parts) =>
    createClientAuth(client, methods[current]!, settings.clientSecret)(...parts);
  const configuration = await discoverIssuer(client, settings, authenticateClient);
  const metadata = configuration.serverMetadata();
  for (const name of ['authorization_endpoint', 'token_endpoint'] as const) checkEndpoint(metadata, name);
  methods = listAuthMethods(settings, metadata);
  const isSignedWithSecret = usesSecretSignature(settings, metadata);
  // Check the signatures of tokens as well, because an attacker could send anything over plain http.
  if (!isSignedWithSecret) client.enableNonRepudiationChecks(configuration);
  return {
    configuration,
    hasUserInfo: metadata.userinfo_endpoint !== undefined,
    isSignedWithSecret,
    async authenticate(exchange) {
      const tried = current;
      try {
        return await exchange();
      } catch (error) {
        if (methods.length === 1 || !isClientRefused(error)) throw error;
        current = 1 - tried;
        return await exchange();
      }
    },
  };
}

/** Fetches the metadata. Tolerates an issuer without the slash at its end that the provider's own name has. */
async function discoverIssuer(
  client: OidcLibrary,
  { issuer, clientId, signingAlg }: OidcSettings,
  authenticateClient: ClientAuth,
): Promise<Configuration> {
  const options = {
    timeout: timeoutSeconds,
    [client.customFetch]: fetchBounded,
    execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
  };
  const own = signingAlg && { id_token_signed_response_alg: signingAlg };
  const discover = (url: string) =>
    client.discovery(new URL(url), clientId, own, authenticateClient, options);
  return discover(issuer).catch((error: unknown) => {
    if (readForeignIssuer(error) !== `${issuer}/`) throw error;
    return discover(`${issuer}/`);
  });
}

/** Browsers and the gallery send secrets to the endpoints, so only http and https addresses are accepted. */
function checkEndpoint(
  metadata: Readonly<ServerMetadata>,
  name: 'authorization_endpoint' | 'token_endpoint',
): void {
  const protocol = URL.parse(metadata[name] ?? '')?.protocol;
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`the metadata have no valid ${name}`);
}

/** Whether the provider refused the gallery's own credentials, before it looked at the code. */
function isClientRefused(error: unknown): boolean {
  const { error: name, status } = error as { error?: string; status?: number };
  return name === 'invalid_client' || name === 'unauthorized_client' || status === 401;
}

/** Returns the issuer that the provider calls itself, if the error says that it is not the configured one. */
export function readForeignIssuer(error: unknown): string | undefined {
  const { cause } = error as { cause?: { attribute?: string; body?: { issuer?: unknown } } };
  const issuer = cause?.attribute === 'issuer' ? cause.body?.issuer : undefined;
  return typeof issuer === 'string' ? issuer : undefined;
}

/**
 * Returns whether the client secret signs ID tokens (HS256). Without the setting, only if the provider offers no other
 * algorithm, as Authentik without a signing key does.
 */
function usesSecretSignature(
  { signingAlg, clientSecret }: OidcSettings,
  { id_token_signing_alg_values_supported: offered = [] }: Readonly<ServerMetadata>,
): boolean {
  if (signingAlg !== undefined) return signingAlg === 'HS256';
  const signing = offered.filter((alg) => alg !== 'none');
  return clientSecret !== '' && signing.length > 0 && signing.every((alg) => alg.startsWith('HS'));
}

/**
 * Returns the ways to try. A provider often supports several and accepts only one for this client. The standard's
 * default is `client_secret_basic`.
 */
function listAuthMethods(
  { authMethod }: OidcSettings,
  { token_endpoint_auth_methods_supported: offered }: Readonly<ServerMetadata>,
): OidcAuthMethod[] {
  if (authMethod !== undefined) return [authMethod];
  const known = (['client_secret_basic', 'client_secret_post'] as const).filter(
    (method) => offered === undefined || offered.includes(method),
  );
  return known.length > 0 ? known : ['client_secret_basic'];
}

function createClientAuth(client: OidcLibrary, method: OidcAuthMethod, secret: string): ClientAuth {
  if (method === 'none') return client.None();
  return method === 'client_secret_basic'
    ? client.ClientSecretBasic(secret)
    : client.ClientSecretPost(secret);
}

/** Throws if an ID token is not signed with the client secret by HS256. The library has checked all claims. */
export function checkSecretSignature(idToken: string, secret: string): void {
  const [header = '', payload, signature = ''] = idToken.split('.');
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg?: unknown };
  if (alg !== 'HS256') throw new Error('the algorithm of the ID token is not HS256');
  const expected = createHmac('sha256', secret).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Error('the signature of the ID token does not match the client secret');
}
