/** Creates and uses passkeys through the browser, which shows its own dialogs. */
import { ApiError } from '../api/client.ts';
import { t } from '../messages/messages.ts';

/** An IPv4 address, or an IPv6 address in brackets. */
const ipAddress = /^[\d.]+$|^\[/;

/** Returns false over plain HTTP, in old browsers, and for an IP address as the host. */
export function canUsePasskeys(): boolean {
  if (ipAddress.test(location.hostname)) return false;
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

export async function confirmWithPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return credentialToJson(await explainRefusal(navigator.credentials.get({ publicKey })));
}

export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return credentialToJson(await explainRefusal(navigator.credentials.create({ publicKey })));
}

function credentialToJson(credential: Credential | null): unknown {
  return (credential as PublicKeyCredential).toJSON();
}

/** Turns a refusal by the user into an ApiError; the gallery is not at fault. */
async function explainRefusal<Result>(asking: Promise<Result>): Promise<Result> {
  try {
    return await asking;
  } catch (error) {
    const isThere = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new ApiError(400, 400, t(isThere ? 'passkeyExists' : 'passkeyNotConfirmed'));
  }
}
