/** The OpenID provider that the settings name. Who signs in there signs in here. */
import type { Configuration, IDToken, UserInfoResponse } from 'openid-client';
import type { Deps } from '../../../deps.ts';
import { errors } from '../../../platform/errors/catalogue.ts';

/** Of every request to the provider. */
const timeoutSeconds = 10;
const scope = 'openid profile email';

/** Only who asks for it pays for the library. */
const library = () => import('openid-client');

/** What keeps an answer of the provider to the browser that asked: state, nonce and PKCE's verifier. */
export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

export type Claims = Pick<IDToken, 'iss' | 'sub'> & Omit<UserInfoResponse, 'sub'>;

/** What it makes throws busy where the provider cannot be reached, forbidden where its answer is not good. */
export function createProvider({ config: { oidc }, log }: Pick<Deps, 'config' | 'log'>) {
  let found: Promise<Configuration> | undefined;

  /** Once it was found it stays; a failure is tried again by who comes next. */
  function discover(): Promise<Configuration> {
    found ??= discoverNow().catch((error: unknown) => {
      found = undefined;
      log.warn({ err: error }, 'the OpenID provider was not found');
      throw errors.busy({ message: 'The sign-in provider cannot be reached at the moment', cause: error });
    });
    return found;
  }

  async function discoverNow(): Promise<Configuration> {
    const client = await library();
    const { issuer, clientId, clientSecret } = oidc!;
    const url = new URL(issuer);
    return client.discovery(url, clientId, clientSecret, undefined, {
      timeout: timeoutSeconds,
      // Signatures are checked, too: what comes over plain http could be anybody's.
      execute: [
        client.enableNonRepudiationChecks,
        ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    });
  }

  return {
    /** Where the browser goes, and what has to fit when it comes back. */
    async begin(redirectUri: string): Promise<{ url: string; checks: Checks }> {
      const provider = await discover();
      const client = await library();
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, checks };
    },

    /** Who it was. `returned`: the address that the browser came back to, with all that the provider added. */
    async finish(returned: URL, { state, nonce, verifier }: Checks): Promise<Claims> {
      const provider = await discover();
      const client = await library();
      try {
        const tokens = await client.authorizationCodeGrant(provider, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        if (!isName(claims.sub)) throw new Error('the name for a person is no text');
        if (claims.email !== undefined || !provider.serverMetadata().userinfo_endpoint)
          return claims as Claims;
        const more = await client.fetchUserInfo(provider, tokens.access_token, claims.sub);
        return { ...more, ...claims } as Claims;
      } catch (error) {
        log.warn({ err: withoutTokens(error) }, 'a sign-in by the OpenID provider failed');
        throw isUnreachable(error)
          ? errors.busy({ message: 'The sign-in provider cannot be reached at the moment', cause: error })
          : errors.forbidden({ message: 'The sign-in provider did not confirm who you are', cause: error });
      }
    },
  };
}

/** One that both databases keep as it is: others would become one and the same person. */
function isName(sub: string): boolean {
  return sub.isWellFormed() && !sub.includes('\0');
}

/** The library's errors hold the answers that they are about. */
function withoutTokens(error: unknown): { name: string; message: string; code: unknown } {
  const { name, message, code } = error as Error & { code?: unknown };
  return { name, message, code };
}

/** What a proxy says of one that is down or being restarted; 500 is an answer of its own. */
const awayStatuses = [502, 503, 504];

function isUnreachable(error: unknown): boolean {
  const { name, code, cause } = error as Error & { code?: string };
  if (cause instanceof Response && awayStatuses.includes(cause.status)) return true;
  if (cause instanceof URLSearchParams && cause.get('error') === 'temporarily_unavailable') return true;
  return name === 'TypeError' || name === 'TimeoutError' || code === 'OAUTH_TIMEOUT';
}
