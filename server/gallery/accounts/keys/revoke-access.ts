/** Revokes all ways to sign in other than the password, in case a stranger has one of them. */
import type { Deps } from '../../../deps.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import type { Language } from '../../../platform/http/language.ts';
import { unlinkIdentities } from '../linked-identities.ts';
import { deleteSignInChallenges } from '../links.ts';
import { queueSecurityNotice } from '../notify-owner.ts';

/** Numbers of credentials that were revoked together, by kind. */
export interface RevokedCredentialCounts {
  keys: number;
  passkeys: number;
  /** Number of unlinked identities at the OpenID provider. */
  ties: number;
}

export const noRevokedCredentials: RevokedCredentialCounts = { keys: 0, passkeys: 0, ties: 0 };

/** Revokes all API keys, passkeys and linked identities of a user, and notifies the owner by mail. */
export async function revokeCredentials(
  deps: Deps,
  transaction: Transaction,
  userId: number,
  language: Language,
): Promise<RevokedCredentialCounts> {
  const deleteKeys = async (table: 'api_keys' | 'passkeys') => {
    const { numDeletedRows } = await transaction
      // The tables `api_keys` and `passkeys` both have the column of this query, so one cast is enough.
      .deleteFrom(table as 'api_keys')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return Number(numDeletedRows);
  };
  // Delete open sign-in challenges, because completing one would link the account to the OpenID provider again.
  await deleteSignInChallenges(transaction, userId);
  const ended = {
    keys: await deleteKeys('api_keys'),
    passkeys: await deleteKeys('passkeys'),
    ties: await unlinkIdentities(transaction, userId),
  };
  if (isAnyRevoked(ended))
    await queueSecurityNotice(deps, transaction, userId, { kind: 'keys_ended', language });
  return ended;
}

/** Returns the numbers of revoked credentials for the audit log. */
export function toRevokedCredentialDetails({
  keys,
  passkeys,
  ties,
}: RevokedCredentialCounts): Record<string, unknown> {
  return {
    ...(keys > 0 && { keys_ended: keys }),
    ...(passkeys > 0 && { passkeys_ended: passkeys }),
    ...(ties > 0 && { oidc: false }),
  };
}

/** Returns the message `done`, followed by the numbers of revoked credentials. */
export function appendRevokedCounts(done: string, ended: RevokedCredentialCounts): string {
  if (!isAnyRevoked(ended)) return done;
  const { keys, passkeys, ties } = ended;
  return (
    `${done}. Deleted: API keys ${keys}, passkeys ${passkeys}, connections to the sign-in ` +
    `provider ${ties}`
  );
}

function isAnyRevoked({ keys, passkeys, ties }: RevokedCredentialCounts): boolean {
  return keys + passkeys + ties > 0;
}
