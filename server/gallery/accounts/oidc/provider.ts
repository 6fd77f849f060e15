/** Talks to the configured OpenID provider, where users sign in to this gallery. */
import type { Configuration, IDToken, UserInfoResponse } from 'openid-client';
import type { Deps } from '../../../deps.ts';
import { errors } from '../../../platform/errors/catalogue.ts';

/** Time limit in seconds of every request to the provider. */
const timeoutSeconds = 10;
const requestedScopes = 'openid profile email';

/** Loads the OpenID library at the first use, because it costs memory that many galleries do not need. */
const loadOidcLibrary = () => import('openid-client');

/** State, nonce and PKCE verifier, which bind the provider's response to the browser that started the sign-in. */
export interface OidcFlowSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

export type OidcClaims = Pick<IDToken, 'iss' | 'sub'> & Omit<UserInfoResponse, 'sub'>;

/**
 * Returns functions that start and finish a sign-in. The functions throw busy if the provider cannot be reached,
 * and forbidden if its response is invalid.
 */
export function createOidcProvider({ config: { oidc }, log }: Pick<Deps, 'config' | 'log'>) {
  let found: Promise<Configuration> | undefined;

  /** Finds the configuration of the OpenID provider once. After a failure, the next caller tries again. */
  function discover(): Promise<Configuration> {
    found ??= discoverNow().catch((error: unknown) => {
      found = undefined;
      log.warn({ err: error }, 'cannot fetch the configuration of the OpenID provider');
      throw errors.busy({ message: 'The sign-in provider is unavailable. Try again later.', cause: error });
    });
    return found;
  }

  async function discoverNow(): Promise<Configuration> {
    const client = await loadOidcLibrary();
    const { issuer, clientId, clientSecret } = oidc!;
    const url = new URL(issuer);
    return client.discovery(url, clientId, clientSecret, undefined, {
      timeout: timeoutSeconds,
      // Check the signatures of tokens as well, because an attacker could send anything over plain http.
      execute: [
        client.enableNonRepudiationChecks,
        ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    });
  }

  return {
    /** Returns the provider's URL for the browser, and the values to check when the browser returns. */
    async begin(redirectUri: string): Promise<{ url: string; checks: OidcFlowSecrets }> {
      const provider = await discover();
      const client = await loadOidcLibrary();
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope: requestedScopes,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, checks };
    },

    /**
     * Returns the claims of the person who signed in. `returned` is the full URL to which the browser returned,
     * with the provider's parameters.
     */
    async finish(returned: URL, { state, nonce, verifier }: OidcFlowSecrets): Promise<OidcClaims> {
      const provider = await discover();
      const client = await loadOidcLibrary();
      try {
        const tokens = await client.authorizationCodeGrant(provider, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        if (!isValidSubject(claims.sub)) throw new Error('the claim "sub" is not text');
        if (claims.email !== undefined || !provider.serverMetadata().userinfo_endpoint)
          return claims as OidcClaims;
        const more = await client.fetchUserInfo(provider, tokens.access_token, claims.sub);
        return { ...more, ...claims } as OidcClaims;
      } catch (error) {
        log.warn({ err: stripTokens(error) }, 'a sign-in by the OpenID provider failed');
        throw isUnreachable(error)
          ? errors.busy({ message: 'The sign-in provider is unavailable. Try again later.', cause: error })
          : errors.forbidden({ message: 'The sign-in provider did not confirm your identity', cause: error });
      }
    },
  };
}

/**
 * Returns whether both databases store a person's id at the provider unchanged. Other ids could become equal and
 * mix up two people.
 */
function isValidSubject(sub: string): boolean {
  return sub.isWellFormed() && !sub.includes('\0');
}

/** Returns an error of the OpenID library without the response it contains, so that tokens do not reach the log. */
function stripTokens(error: unknown): { name: string; message: string; code: unknown } {
  const { name, message, code } = error as Error & { code?: unknown };
  return { name, message, code };
}

/** Statuses that a proxy sends while the provider is down or restarting. A 500 comes from the provider itself. */
const unreachableStatuses = [502, 503, 504];

function isUnreachable(error: unknown): boolean {
  const { name, code, cause } = error as Error & { code?: string };
  if (cause instanceof Response && unreachableStatuses.includes(cause.status)) return true;
  if (cause instanceof URLSearchParams && cause.get('error') === 'temporarily_unavailable') return true;
  return name === 'TypeError' || name === 'TimeoutError' || code === 'OAUTH_TIMEOUT';
}
