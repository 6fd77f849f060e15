/** Passkeys, as the browser makes and uses them; it shows its own dialogs. */
import { ApiError } from '../api/client.ts';
import { t } from '../messages/messages.ts';

/** Numbers with dots, or in brackets. */
const address = /^[\d.]+$|^\[/;

/** Over plain http, in old browsers, and for a host without a name there are none. */
export function canUsePasskeys(): boolean {
  if (address.test(location.hostname)) return false;
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

export async function confirmWithPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return asJson(await asked(navigator.credentials.get({ publicKey })));
}

export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return asJson(await asked(navigator.credentials.create({ publicKey })));
}

function asJson(credential: Credential | null): unknown {
  return (credential as PublicKeyCredential).toJSON();
}

/** What the person did not confirm is no fault of the gallery. */
async function asked<Result>(asking: Promise<Result>): Promise<Result> {
  try {
    return await asking;
  } catch (error) {
    const isThere = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new ApiError(400, 400, t(isThere ? 'passkeyThere' : 'passkeyNotConfirmed'));
  }
}
