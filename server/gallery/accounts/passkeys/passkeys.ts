/**
 * Passkeys: keys that an authenticator (a telephone, a password manager, a security key) keeps for this gallery alone. One
 * signs in by itself, so it always asks who holds it for a PIN, a finger or a face.
 */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { countOf } from '../../../platform/db/rows.ts';
import type { PasskeysTable } from '../../../platform/db/tables-passkeys.ts';
import { errors, invalidFields } from '../../../platform/errors/catalogue.ts';
import type { Language } from '../../../platform/http/language.ts';
import { hasSession } from '../../identity/sessions.ts';
import { getUser, lockEnabled } from '../../identity/users.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { auditOwn, refuseManyActs } from '../../moderation/audit.ts';
import { tellOwner } from '../safety.ts';
import { challengeLifetime, challengeOf, createChallenges, takeChallenge, toAdd } from './challenges.ts';
import type { RelyingParty } from './relying-party.ts';

export type PasskeyRow = Selectable<PasskeysTable>;

const maxPasskeys = 20;
/** COSE: ES256, EdDSA, RS256, which between them all authenticators know. */
const algorithms = [-7, -8, -257];

/** Only who has passkeys pays for the library. */
export const webauthn = () => import('@simplewebauthn/server');

/** How authenticators know the account; no name, as they may show it to anybody. */
export const handleOf = (userId: number) => Buffer.from(`user ${userId}`);

/** What a browser makes a new passkey with. */
export async function creationOptions(deps: Deps, viewer: Viewer, party: RelyingParty) {
  const { id } = viewer;
  const { generateRegistrationOptions } = await webauthn();
  const user = await getUser(deps, id);
  return generateRegistrationOptions({
    rpName: deps.config.siteName,
    rpID: party.id,
    userID: new Uint8Array(handleOf(id)),
    userName: user.username,
    userDisplayName: user.nickname || user.username,
    challenge: new Uint8Array(Buffer.from(createChallenges(deps).issue(toAdd(viewer)))),
    timeout: challengeLifetime * 1000,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: (await listPasskeys(deps, id)).map(({ credential_id }) => ({ id: credential_id })),
    supportedAlgorithmIDs: algorithms,
  });
}

interface NewPasskey {
  language: Language;
  name: string;
  response: RegistrationResponseJSON;
}

/**
 * Throws invalid for what is no new passkey of this gallery and when there are too many, badToken when the session has
 * ended meanwhile.
 */
export async function addPasskey(
  deps: Deps,
  viewer: Viewer,
  { name, response, language }: NewPasskey,
  party: RelyingParty,
): Promise<PasskeyRow> {
  const { id: userId, sessionId } = viewer;
  const made = await verifyNew(deps, viewer, response, party);
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const isEnabled = (await lockEnabled(transaction, userId)) !== undefined;
    if (!isEnabled || !(await hasSession(transaction, sessionId))) throw errors.badToken();
    // One passkey for one password: what was deleted does not come back by what it was made with.
    if (!(await takeChallenge(deps, transaction, challengeOf(response))))
      throw invalidFields({ response: ['was used already'] });
    const n = await countOf(transaction.selectFrom('passkeys').where('user_id', '=', userId));
    if (n >= maxPasskeys)
      throw invalidFields({ name: [`there are ${maxPasskeys} passkeys already; delete one first`] });
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
    if (!row) throw invalidFields({ response: ['is a passkey that is here already'] });
    await tellOwner(deps, transaction, userId, { kind: 'passkey_added', language });
    await auditOwn(deps, transaction, userId, 'passkey.create', { passkey: row.id });
    return row;
  });
}

async function verifyNew(
  deps: Deps,
  viewer: Viewer,
  response: RegistrationResponseJSON,
  party: RelyingParty,
) {
  const { verifyRegistrationResponse } = await webauthn();
  const challenges = createChallenges(deps);
  // The library throws for all that does not fit, and what does not fit is what the client sent.
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: (given) => challenges.isGood(toAdd(viewer), given),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => undefined);
  if (!verified?.verified) {
    throw invalidFields({ response: ['is no new passkey for this gallery, or it took too long'] });
  }
  return verified.registrationInfo;
}

/** Newest first. */
export function listPasskeys({ db }: Deps, userId: number): Promise<PasskeyRow[]> {
  return db.kysely
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}

/** Throws notFound when the user has no such passkey. */
export async function renamePasskey({ db }: Deps, userId: number, id: number, name: string): Promise<void> {
  const { numUpdatedRows } = await db.kysely
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw errors.notFound();
}

/** Nobody signs in with it from now on; sessions stay. Throws notFound when the user has no such passkey. */
export async function deletePasskey(
  deps: Deps,
  userId: number,
  { id, language }: { id: number; language: Language },
): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    // First, as by whatever ends all of them: the mail asks for the account.
    await lockEnabled(transaction, userId);
    const { numDeletedRows } = await transaction
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw errors.notFound();
    await tellOwner(deps, transaction, userId, { kind: 'passkey_removed', language });
    await auditOwn(deps, transaction, userId, 'passkey.delete', { passkey: id });
  });
}
