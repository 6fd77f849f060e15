/** Passkeys, as the browser makes and uses them; it shows its own dialogs. */
import { ApiError } from '../api/client.ts';
import { t } from '../messages/messages.ts';

/** Numbers with dots, or in brackets. */
const ipAddress = /^[\d.]+$|^\[/;

/** Over plain http, in old browsers, and for a host without a name there are none. */
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

/** What the person did not confirm is no fault of the gallery. */
async function explainRefusal<Result>(asking: Promise<Result>): Promise<Result> {
  try {
    return await asking;
  } catch (error) {
    const isThere = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new ApiError(400, 400, t(isThere ? 'passkeyThere' : 'passkeyNotConfirmed'));
  }
}
