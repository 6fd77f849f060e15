/** Reads the settings of the OpenID Connect provider for `config.ts`. */
import {
  createPatternParser,
  parseBaseUrl,
  parseChoice,
  parseTextSetting,
  type ReadSetting,
  type SettingParser,
} from './platform/process/settings.ts';

/** Ways in which the gallery identifies itself to the provider. `none` is a public client, protected by PKCE. */
export const oidcAuthMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const;
export type OidcAuthMethod = (typeof oidcAuthMethods)[number];

/** Algorithms that can sign ID tokens. HS256 uses the client secret as its key. */
const signingAlgs = ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256'] as const;
export type OidcSigningAlg = (typeof signingAlgs)[number];

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Undefined: the provider's metadata decide. */
  authMethod: OidcAuthMethod | undefined;
  /** Undefined: the provider's metadata decide. */
  signingAlg: OidcSigningAlg | undefined;
  /** Scopes to request, separated by blanks. */
  scope: string;
  /** Name of the OpenID provider on the sign-in button. */
  name: string;
  /** Claim that makes a user an admin, and the value it must hold. Without `value`, the claim must be `true`. */
  adminClaim: { name: string; value?: string } | undefined;
}

export const defaultOidcScope = 'openid profile email';

/** Reads the OpenID settings. Issuer and client ID are required together, and a secret unless the client is public. */
export function readOidc(read: ReadSetting, mistakes: string[]): OidcSettings | undefined {
  const issuer = read('OIDC_ISSUER', parseIssuer, undefined);
  const clientId = read('OIDC_CLIENT_ID', parseTextSetting, '');
  const clientSecret = read('OIDC_CLIENT_SECRET', parseTextSetting, '');
  const authMethod = read('OIDC_AUTH_METHOD', parseChoice(oidcAuthMethods), undefined);
  const signingAlg = read('OIDC_SIGNING_ALG', parseChoice(signingAlgs), undefined);
  const scope = read('OIDC_SCOPE', parseScope, undefined);
  const name = read(
    'OIDC_NAME',
    createPatternParser(/^[^\p{Cc}]{1,100}$/u, 'at most 100 characters'),
    'OpenID',
  );
  const claim = read('OIDC_ADMIN_CLAIM', parseTextSetting, undefined);
  if (!issuer) {
    if (clientId || clientSecret || claim || authMethod || signingAlg || scope)
      mistakes.push('the other OIDC_ settings need OIDC_ISSUER');
    return undefined;
  }
  if (authMethod === 'none') {
    if (!clientId) mistakes.push('OIDC_ISSUER needs OIDC_CLIENT_ID');
    if (clientSecret) mistakes.push('OIDC_AUTH_METHOD=none sends no secret: unset OIDC_CLIENT_SECRET');
    if (signingAlg === 'HS256') mistakes.push('OIDC_SIGNING_ALG=HS256 needs OIDC_CLIENT_SECRET');
  } else if (!clientId || !clientSecret)
    mistakes.push(
      'OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; a public client has OIDC_AUTH_METHOD=none instead',
    );
  return {
    issuer,
    clientId,
    clientSecret,
    authMethod,
    signingAlg,
    scope: scope ?? defaultOidcScope,
    name,
    adminClaim: claim === undefined ? undefined : parseAdminClaim(claim),
  };
}

const metadataPath = '/.well-known/openid-configuration';

/** Parses an issuer. Providers often show the address of their metadata instead, which ends with a fixed path. */
const parseIssuer: SettingParser<string> = (value) => {
  const url = parseBaseUrl(value);
  return url.endsWith(metadataPath) ? url.slice(0, -metadataPath.length) : url;
};

const parseScope: SettingParser<string> = (value) => {
  const scopes = value.split(/\s+/);
  if (!scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) || !scopes.includes('openid'))
    throw new Error(
      `must be names separated by blanks, with openid among them: "${defaultOidcScope} groups"`,
    );
  return scopes.join(' ');
};

/** Parses `groups=admins` into a name and a value. `is_admin` alone means that the claim must be `true`. */
function parseAdminClaim(setting: string): { name: string; value?: string } {
  const at = setting.indexOf('=');
  return at === -1 ? { name: setting } : { name: setting.slice(0, at), value: setting.slice(at + 1) };
}
