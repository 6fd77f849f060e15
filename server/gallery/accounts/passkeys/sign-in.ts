/** Signs in with a passkey, without a name or a password. The passkey identifies its account. */
import type { AuthenticationResponseJSON, VerifiedAuthenticationResponse } from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { clientAddress, getIpAddressKey } from '../../../platform/connections/address.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { createThrottle } from '../../../platform/http/rate-limiters.ts';
import type { SharedLimits } from '../../../platform/http/shared-limits.ts';
import { getUser } from '../../identity/users.ts';
import {
  createPasskeyChallenges,
  passkeyChallengeLifetime,
  readPasskeyChallenge,
  requireUnusedPasskeyChallenge,
} from './challenges.ts';
import { getPasskeyUserHandle, loadWebauthnLibrary, type PasskeyRow } from './passkeys.ts';
import type { RelyingParty } from './relying-party.ts';

/**
 * Maximum number of failures per minute and IP address. Nobody can guess a passkey, but the limit bounds the cost of
 * trying.
 */
const failuresPerAddress = 50;

/** Returns the options with which a browser asks for any passkey of this gallery. */
export async function createPasskeyRequestOptions(deps: Deps, party: RelyingParty) {
  const { generateAuthenticationOptions } = await loadWebauthnLibrary();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(Buffer.from(createPasskeyChallenges(deps).issue('sign in'))),
    timeout: passkeyChallengeLifetime * 1000,
    userVerification: 'required',
  });
}

/**
 * Returns a function that checks a passkey and returns its account. The function throws wrongLogin, accountDisabled
 * or tooManyRequests.
 */
export function createCheckPasskey(deps: Deps, shared: SharedLimits) {
  const throttle = createThrottle(shared, 'passkey-address', failuresPerAddress);
  const challenges = createPasskeyChallenges(deps);

  async function verify(passkey: PasskeyRow, response: AuthenticationResponseJSON, party: RelyingParty) {
    const { verifyAuthenticationResponse } = await loadWebauthnLibrary();
    // Treat every error of the WebAuthn library as an invalid response, because each mismatch comes from the
    // client's input.
    return verifyAuthenticationResponse({
      response,
      expectedChallenge: (given) => challenges.isValid('sign in', given),
      expectedOrigin: party.origin,
      expectedRPID: passkey.rp_id,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    }).catch(() => undefined);
  }

  return async (
    response: AuthenticationResponseJSON,
    party: RelyingParty,
    request: FastifyRequest,
  ): Promise<UserRow> => {
    const address = getIpAddressKey(clientAddress(request));
    await throttle.consume(address);
    const passkey = await findPasskey(deps, response.id);
    request.attempt.account = passkey?.user_id;
    // Authenticators also offer this gallery's passkeys to pages on its subdomains, so the host must match exactly.
    const isOwners = passkey?.rp_id === party.id && acceptsUserHandle(passkey, response.response.userHandle);
    const verified = isOwners ? await verify(passkey, response, party) : undefined;
    if (!passkey || !verified?.verified) throw wrongLoginError();
    const user = await recordUse(deps, passkey, verified, readPasskeyChallenge(response));
    await throttle.refund(address);
    if (user.status !== UserStatus.enabled) throw errors.accountDisabled();
    return user;
  };
}

function findPasskey({ db }: Deps, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.kysely
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

function acceptsUserHandle({ user_id }: PasskeyRow, handle: string | null | undefined): boolean {
  return (
    handle === undefined || handle === null || handle === getPasskeyUserHandle(user_id).toString('base64url')
  );
}

/**
 * Records the use of a passkey and its challenge, and returns the account. Throws wrongLogin if the challenge was
 * used before or the passkey was deleted.
 */
async function recordUse(
  deps: Deps,
  { id, user_id }: PasskeyRow,
  { authenticationInfo }: VerifiedAuthenticationResponse,
  challenge: string,
): Promise<UserRow> {
  const { newCounter, credentialBackedUp } = authenticationInfo;
  return deps.db.kysely.transaction().execute(async (transaction) => {
    await requireUnusedPasskeyChallenge(deps, transaction, challenge);
    const { numUpdatedRows } = await transaction
      .updateTable('passkeys')
      .set({ counter: newCounter, is_synced: credentialBackedUp ? 1 : 0, last_used_time: deps.clock() })
      .where('id', '=', id)
      // A repeated counter means that one of two responses comes from a copy of the passkey. Passkeys without a
      // counter always send 0.
      .where((is) =>
        is.or([is('counter', '<', newCounter), is.and([is('counter', '=', 0), is.lit(newCounter === 0)])]),
      )
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw wrongLoginError();
    // Read the account in the transaction that checked the passkey, so that `startSession` can detect a later
    // password change.
    return getUser({ db: { kysely: transaction } }, user_id);
  });
}

function wrongLoginError(): Error {
  return errors.wrongLogin({
    message: 'This passkey is unknown here, or the sign-in has expired. Start again.',
  });
}
