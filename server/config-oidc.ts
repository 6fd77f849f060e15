/** Reads the settings of the OpenID Connect provider for `config.ts`. */
import {
  createPatternParser,
  parseBaseUrl,
  parseTextSetting,
  type ReadSetting,
} from './platform/process/settings.ts';

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Name of the OpenID provider on the sign-in button. */
  name: string;
  /** Claim that makes a user an admin, and the value it must hold. Without `value`, the claim must be `true`. */
  adminClaim: { name: string; value?: string } | undefined;
}

/** Reads the OpenID settings. Issuer, client ID and client secret are required together. */
export function readOidc(read: ReadSetting, mistakes: string[]): OidcSettings | undefined {
  const issuer = read('OIDC_ISSUER', parseBaseUrl, undefined);
  const clientId = read('OIDC_CLIENT_ID', parseTextSetting, '');
  const clientSecret = read('OIDC_CLIENT_SECRET', parseTextSetting, '');
  const name = read(
    'OIDC_NAME',
    createPatternParser(/^[^\p{Cc}]{1,100}$/u, 'at most 100 characters'),
    'OpenID',
  );
  const claim = read('OIDC_ADMIN_CLAIM', parseTextSetting, undefined);
  if (!issuer) {
    if (clientId || clientSecret || claim) mistakes.push('the other OIDC_ settings need OIDC_ISSUER');
    return undefined;
  }
  if (!clientId || !clientSecret) mistakes.push('OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET');
  return {
    issuer,
    clientId,
    clientSecret,
    name,
    adminClaim: claim === undefined ? undefined : parseAdminClaim(claim),
  };
}

/** Parses `groups=admins` into a name and a value. `is_admin` alone means that the claim must be `true`. */
function parseAdminClaim(setting: string): { name: string; value?: string } {
  const at = setting.indexOf('=');
  return at === -1 ? { name: setting } : { name: setting.slice(0, at), value: setting.slice(at + 1) };
}
