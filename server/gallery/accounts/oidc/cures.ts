/** Finds the likely cause of a failed sign-in at the OpenID provider, and a sentence for the log that names the cure. */
import type { OidcSettings } from '../../../config-oidc.ts';
import { AnswerTooLarge } from './bounded-fetch.ts';
import { readForeignIssuer } from './discovery.ts';

/** Fields of the errors of the OpenID library and of `fetch`. */
interface ProviderError {
  name?: string;
  message?: string;
  code?: string;
  status?: number;
  /** Error code of OAuth, in a response of the provider. */
  error?: string;
  /** Claim of an ID token that has a wrong value. */
  claim?: string;
  cause?: unknown;
}

/** Maximum length of a text of the provider in a sentence. */
const maxQuotedLength = 200;

/** Returns a sentence that tells the operator what to change, or undefined for an unknown cause. */
export function describeCure(
  error: unknown,
  settings: OidcSettings,
  redirectUri: string,
): string | undefined {
  const foreign = readForeignIssuer(error);
  if (foreign !== undefined)
    return `the provider calls itself "${foreign.slice(0, maxQuotedLength)}": set OIDC_ISSUER to exactly that text`;
  for (const each of listCauses(error)) {
    const cure =
      describeConnection(each) ??
      describeStatus(each) ??
      describeRefusal(each, settings, redirectUri) ??
      describeToken(each);
    if (cure !== undefined) return cure;
  }
  return undefined;
}

/** Returns the error and the errors that caused it, at most five. */
function listCauses(error: unknown): ProviderError[] {
  const causes: ProviderError[] = [];
  let next = error;
  while (typeof next === 'object' && next !== null && causes.length < 5) {
    causes.push(next as ProviderError);
    next = (next as ProviderError).cause;
  }
  return causes;
}

const cureByConnectionCode: Record<string, string> = {
  ENOTFOUND: 'the host of OIDC_ISSUER is unknown: check its name and the DNS of this machine or container',
  EAI_AGAIN: 'the DNS of this machine or container does not answer: check its name servers',
  ECONNREFUSED:
    'nothing listens at the address of OIDC_ISSUER: check the port, and that this machine or container can reach it',
  EHOSTUNREACH: 'no route leads to the provider: check the network of this machine or container',
  ENETUNREACH: 'no route leads to the provider: check the network of this machine or container',
  ETIMEDOUT: 'the provider does not answer: check a firewall between the gallery and the provider',
  UND_ERR_CONNECT_TIMEOUT:
    'the provider does not answer: check a firewall between the gallery and the provider',
  OAUTH_TIMEOUT: 'the provider took more than 10 seconds: check its load and the network',
  CERT_HAS_EXPIRED:
    "the provider's TLS certificate has expired: renew it, or correct the clock of this machine",
  CERT_NOT_YET_VALID: "the provider's TLS certificate is not valid yet: correct the clock of this machine",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "the provider's TLS certificate is for another host name: use the name of the certificate in OIDC_ISSUER",
  EPROTO: 'the provider speaks no TLS at this port: check http or https and the port in OIDC_ISSUER',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'the provider speaks no TLS at this port: check http or https and the port in OIDC_ISSUER',
  ...Object.fromEntries(
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ].map((code) => [
      code,
      "this machine does not trust the provider's TLS certificate: set NODE_EXTRA_CA_CERTS to the file of its CA",
    ]),
  ),
  OAUTH_HTTP_REQUEST_FORBIDDEN:
    'the provider names an http address in its metadata: configure its public https address at the provider',
};

function describeConnection(error: ProviderError): string | undefined {
  if (error instanceof AnswerTooLarge)
    return 'the provider sent more than a megabyte: check that OIDC_ISSUER is the address of the provider';
  return cureByConnectionCode[error.code ?? ''];
}

/** Statuses that a proxy sends while the provider is down or restarting. A 500 comes from the provider itself. */
const unreachableStatuses = [502, 503, 504];

function describeStatus(error: ProviderError): string | undefined {
  if (!(error instanceof Response)) return undefined;
  const { status } = error;
  if (unreachableStatuses.includes(status))
    return `a proxy in front of the provider answers ${status}: start the provider`;
  if (status >= 300 && status < 400)
    return 'the provider redirects: set OIDC_ISSUER to the address after the redirect, as in its metadata';
  if (status === 404)
    return 'no metadata are at OIDC_ISSUER: copy the issuer from the provider, with its whole path';
  if (status === 200)
    return 'the answer is no JSON of a provider: copy the issuer from the provider, with its whole path';
  return `the provider answers ${status}: read the log of the provider`;
}

function describeRefusal(
  { error }: ProviderError,
  { clientId, scope, authMethod }: OidcSettings,
  redirectUri: string,
): string | undefined {
  const cures: Record<string, string> = {
    invalid_client:
      `the provider refuses the client "${clientId}": check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET` +
      (authMethod === undefined ? '' : ', and OIDC_AUTH_METHOD'),
    unauthorized_client: `the provider does not let "${clientId}" sign users in: allow the authorization code flow`,
    invalid_grant:
      `the provider refuses the code: register exactly ${redirectUri} as redirect URI, set BASE_URL, and compare ` +
      'the clocks',
    invalid_scope: `the provider refuses the scopes "${scope}": change OIDC_SCOPE, or allow the scopes there`,
    invalid_request: `the provider refuses the request: register exactly ${redirectUri} as redirect URI`,
    unsupported_response_type:
      'the provider has no authorization code flow for this client: allow the flow there',
    access_denied: 'the provider does not let this user in: assign the user or group to the client there',
    server_error: 'the provider failed: read the log of the provider',
    temporarily_unavailable: 'the provider is overloaded or restarting: try again later',
    login_required: 'the provider wants the user to sign in there again',
    consent_required: 'the provider wants the consent of the user: allow the client there',
  };
  return error !== undefined && Object.hasOwn(cures, error) ? cures[error] : undefined;
}

/** Returns the cure for an ID token or a response that the library refused. */
function describeToken({ code, claim, message = '' }: ProviderError): string | undefined {
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')
    return 'the clocks of the gallery and of the provider differ: correct the time of both machines';
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE')
    return 'the provider refuses the client: check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_AUTH_METHOD';
  if (message.includes('does not match the client secret'))
    return 'ID tokens are signed with another secret: check OIDC_CLIENT_SECRET, or give the client a signing key';
  if (code === 'OAUTH_UNSUPPORTED_OPERATION' || /"alg"|algorithm of the ID token/.test(message))
    return (
      'the provider signs ID tokens in another way than its metadata say: give the client a signing key there, or ' +
      'set OIDC_SIGNING_ALG'
    );
  if (code === 'OAUTH_KEY_SELECTION_FAILED' || message.includes('signature'))
    return 'the keys of the provider do not fit its ID tokens: restart the provider, or check a proxy in front of it';
  if (claim === 'aud' || claim === 'azp') return 'the ID token is for another client: check OIDC_CLIENT_ID';
  if (claim === 'iss')
    return 'the ID token names another issuer: configure the public address of the provider there';
  if (claim === 'nonce')
    return 'the ID token belongs to another sign-in: turn off caches in front of the provider';
  if (message.includes('"id_token"')) return 'the provider sent no ID token: OIDC_SCOPE must contain openid';
  if (message.includes('the metadata have no valid'))
    return 'the metadata are not those of an OpenID provider: copy the issuer from the provider, with its whole path';
  return undefined;
}

/** Whether the provider, or the way to it, is down. A later attempt may succeed. */
export function isUnreachable(error: unknown): boolean {
  const { name, code, cause } = error as ProviderError;
  if (cause instanceof Response && unreachableStatuses.includes(cause.status)) return true;
  if (cause instanceof URLSearchParams && cause.get('error') === 'temporarily_unavailable') return true;
  return name === 'TypeError' || name === 'TimeoutError' || code === 'OAUTH_TIMEOUT';
}
