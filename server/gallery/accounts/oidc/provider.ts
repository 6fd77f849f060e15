/** Talks to the configured OpenID provider, where users sign in to this gallery. */
import type { IDToken, UserInfoResponse } from 'openid-client';
import type { Deps } from '../../../deps.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { lacksAdminClaim } from '../admin-claim.ts';
import { describeCure, isUnreachable } from './cures.ts';
import {
  checkSecretSignature,
  type DiscoveredProvider,
  discoverProvider,
  loadOidcLibrary,
} from './discovery.ts';

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
  let found: Promise<DiscoveredProvider> | undefined;
  let toldRedirectUri = '';

  /** Finds the configuration of the OpenID provider once. After a failure, the next caller tries again. */
  function discover(): Promise<DiscoveredProvider> {
    found ??= discoverProvider(oidc!).catch((error: unknown) => {
      found = undefined;
      log.warn(
        { err: stripTokens(error), cure: describeCure(error, oidc!, toldRedirectUri) },
        'cannot fetch the configuration of the OpenID provider',
      );
      throw errors.busy({ message: 'The sign-in provider is unavailable. Try again later.', cause: error });
    });
    return found;
  }

  async function exchangeCode(
    { configuration, authenticate }: DiscoveredProvider,
    returned: URL,
    { state, nonce, verifier }: OidcFlowSecrets,
  ) {
    const client = await loadOidcLibrary();
    return authenticate(() =>
      client.authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      }),
    );
  }

  /**
   * Adds the claims of the userinfo endpoint if the ID token lacks the email or the admin claim. Without userinfo, an
   * ID token with an email still signs in.
   */
  async function completeClaims(provider: DiscoveredProvider, claims: IDToken, accessToken: string) {
    const lacksEmail = claims.email === undefined;
    if (!provider.hasUserInfo || !(lacksEmail || lacksAdminClaim(oidc!, claims))) return claims;
    const client = await loadOidcLibrary();
    const more = await client
      .fetchUserInfo(provider.configuration, accessToken, claims.sub)
      .catch((error: unknown) => {
        if (lacksEmail) throw error;
        log.warn({ err: stripTokens(error) }, 'the userinfo endpoint of the OpenID provider failed');
        return {};
      });
    // `email_verified` belongs to the email of the same response.
    const { email: _, email_verified: __, ...others } = more as Partial<UserInfoResponse>;
    return { ...(lacksEmail ? more : others), ...claims };
  }

  function warnAboutMissingClaims(claims: Record<string, unknown>): void {
    if (typeof claims.email !== 'string')
      log.warn(
        { sub: claims.sub },
        'the OpenID provider sent no email: add the scope email to OIDC_SCOPE, or the claim at the provider',
      );
    if (lacksAdminClaim(oidc!, claims))
      log.warn(
        { sub: claims.sub, claim: oidc!.adminClaim!.name },
        'the OpenID provider did not send the claim of OIDC_ADMIN_CLAIM, so the rights of the account stay as they ' +
          'are: add a scope to OIDC_SCOPE, or the claim at the provider',
      );
  }

  return {
    /** Returns the provider's URL for the browser, and the values to check when the browser returns. */
    async begin(redirectUri: string): Promise<{ url: string; checks: OidcFlowSecrets }> {
      if (redirectUri !== toldRedirectUri && toldRedirectUri === '')
        log.info({ redirectUri }, 'the OpenID provider must accept this redirect URI');
      toldRedirectUri = redirectUri;
      const { configuration } = await discover();
      const client = await loadOidcLibrary();
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: oidc!.scope,
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
    async finish(returned: URL, flow: OidcFlowSecrets): Promise<OidcClaims> {
      const provider = await discover();
      try {
        const tokens = await exchangeCode(provider, returned, flow);
        if (provider.isSignedWithSecret) checkSecretSignature(tokens.id_token!, oidc!.clientSecret);
        const claims = tokens.claims()!;
        if (!isValidSubject(claims.sub)) throw new Error('the claim "sub" is not text');
        const complete = await completeClaims(provider, claims, tokens.access_token);
        warnAboutMissingClaims(complete);
        return complete as OidcClaims;
      } catch (error) {
        // The provider's configuration may have changed, so the next sign-in reads its metadata again.
        found = undefined;
        log.warn(
          { err: stripTokens(error), cure: describeCure(error, oidc!, returned.origin + returned.pathname) },
          'a sign-in by the OpenID provider failed',
        );
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
