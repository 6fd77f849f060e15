/**
 * Creates, lists and deletes passkeys: keys that an authenticator such as a phone, a password manager or a security
 * key stores for this gallery only. A passkey signs in without a password, so the authenticator always asks for a
 * PIN, a fingerprint or a face.
 */

import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { countRows } from '../../../platform/db/rows.ts';
import type { PasskeysTable } from '../../../platform/db/tables-passkeys.ts';
import { errors, invalidFieldsError } from '../../../platform/errors/catalogue.ts';
import type { Language } from '../../../platform/http/language.ts';
import { hasSession } from '../../identity/sessions.ts';
import { readSiteSettings } from '../../identity/site-settings.ts';
import { getUser, lockEnabledUser } from '../../identity/users.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { recordOwnAccountAct, refuseManyActs } from '../../moderation/audit.ts';
import { queueSecurityNotice } from '../notify-owner.ts';
import {
  buildAddPasskeyPurpose,
  consumePasskeyChallenge,
  createPasskeyChallenges,
  passkeyChallengeLifetime,
  readPasskeyChallenge,
} from './challenges.ts';
import type { RelyingParty } from './relying-party.ts';

export type PasskeyRow = Selectable<PasskeysTable>;

const maxPasskeys = 20;
/**
 * Identifiers of the accepted signature algorithms of passkeys: ES256, EdDSA and RS256. Every authenticator
 * supports at least one of these algorithms.
 */
const signatureAlgorithms = [-7, -8, -257];

/** Loads the WebAuthn library at the first use, because galleries without passkeys do not need the library. */
export const loadWebauthnLibrary = () => import('@simplewebauthn/server');

/**
 * Returns the handle by which authenticators know the account. The handle contains no name, because authenticators
 * may show it to anyone.
 */
export const getPasskeyUserHandle = (userId: number) => Buffer.from(`user ${userId}`);

/** Returns the options with which a browser creates a new passkey. */
export async function createPasskeyCreationOptions(deps: Deps, viewer: Viewer, party: RelyingParty) {
  const { id } = viewer;
  const { generateRegistrationOptions } = await loadWebauthnLibrary();
  const user = await getUser(deps, id);
  return generateRegistrationOptions({
    rpName: (await readSiteSettings(deps.config, deps.db.kysely)).name,
    rpID: party.id,
    userID: new Uint8Array(getPasskeyUserHandle(id)),
    userName: user.username,
    userDisplayName: user.nickname || user.username,
    challenge: new Uint8Array(
      Buffer.from(createPasskeyChallenges(deps).issue(buildAddPasskeyPurpose(viewer))),
    ),
    timeout: passkeyChallengeLifetime * 1000,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: (await listPasskeys(deps, id)).map(({ credential_id }) => ({ id: credential_id })),
    supportedAlgorithmIDs: signatureAlgorithms,
  });
}

interface NewPasskey {
  language: Language;
  name: string;
  response: RegistrationResponseJSON;
}

/**
 * Verifies and stores a new passkey. Throws invalid if the response is no new passkey of this gallery or the user
 * has too many. Throws badToken if the session has ended.
 */
export async function addPasskey(
  deps: Deps,
  viewer: Viewer,
  { name, response, language }: NewPasskey,
  party: RelyingParty,
): Promise<PasskeyRow> {
  const { id: userId, sessionId } = viewer;
  const made = await verifyNewPasskey(deps, viewer, response, party);
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const isEnabled = (await lockEnabledUser(transaction, userId)) !== undefined;
    if (!isEnabled || !(await hasSession(transaction, sessionId))) throw errors.badToken();
    // Accept each challenge once. Each password check therefore allows one passkey, and the response of a deleted
    // passkey cannot add it again.
    if (!(await consumePasskeyChallenge(deps, transaction, readPasskeyChallenge(response))))
      throw invalidFieldsError({ response: ['Was already used'] });
    const n = await countRows(transaction.selectFrom('passkeys').where('user_id', '=', userId));
    if (n >= maxPasskeys)
      throw invalidFieldsError({ name: [`There are already ${maxPasskeys} passkeys; delete one first`] });
    await refuseManyActs(deps, transaction, userId, 'passkey.create');
    const row = await transaction
      .insertInto('passkeys')
      .values({
        user_id: userId,
        name,
        credential_id: made.credential.id,
        public_key: Buffer.from(made.credential.publicKey).toString('base64url'),
        counter: made.credential.counter,
        rp_id: party.id,
        is_synced: made.credentialBackedUp ? 1 : 0,
        create_time: deps.clock(),
        last_used_time: null,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) throw invalidFieldsError({ response: ['This passkey is already registered'] });
    await queueSecurityNotice(deps, transaction, userId, { kind: 'passkey_added', language });
    await recordOwnAccountAct(deps, transaction, userId, 'passkey.create', { passkey: row.id });
    return row;
  });
}

async function verifyNewPasskey(
  deps: Deps,
  viewer: Viewer,
  response: RegistrationResponseJSON,
  party: RelyingParty,
) {
  const { verifyRegistrationResponse } = await loadWebauthnLibrary();
  const challenges = createPasskeyChallenges(deps);
  // Treat every error of the WebAuthn library as an invalid response, because each mismatch comes from the client's
  // input.
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: (given) => challenges.isValid(buildAddPasskeyPurpose(viewer), given),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: signatureAlgorithms,
  }).catch(() => undefined);
  if (!verified?.verified) {
    throw invalidFieldsError({ response: ['Is not a valid new passkey for this gallery, or has expired'] });
  }
  return verified.registrationInfo;
}

/** Returns the user's passkeys, newest first. */
export function listPasskeys({ db }: Deps, userId: number): Promise<PasskeyRow[]> {
  return db.kysely
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}

/** Renames a passkey. Throws notFound if the user has no such passkey. */
export async function renamePasskey({ db }: Deps, userId: number, id: number, name: string): Promise<void> {
  const { numUpdatedRows } = await db.kysely
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw errors.notFound();
}

/**
 * Deletes a passkey, so that nobody can sign in with it. Existing sessions stay. Throws notFound if the user has no
 * such passkey.
 */
export async function deletePasskey(
  deps: Deps,
  userId: number,
  { id, language }: { id: number; language: Language },
): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    // Lock the account before its passkeys, in the same order as a change that deletes all passkeys.
    await lockEnabledUser(transaction, userId);
    const { numDeletedRows } = await transaction
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw errors.notFound();
    await queueSecurityNotice(deps, transaction, userId, { kind: 'passkey_removed', language });
    await recordOwnAccountAct(deps, transaction, userId, 'passkey.delete', { passkey: id });
  });
}
