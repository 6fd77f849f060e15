/** Ends whatever signs in beside the password: what may be in wrong hands. */
import type { Deps } from '../../../deps.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import type { Language } from '../../../platform/http/language.ts';
import { endChallenges } from '../links.ts';
import { tellOwner } from '../safety.ts';
import { endTies } from '../ties.ts';

/** How many there were. */
export interface EndedKeys {
  keys: number;
  passkeys: number;
  /** To people at the OpenID provider. */
  ties: number;
}

export const noKeys: EndedKeys = { keys: 0, passkeys: 0, ties: 0 };

/** API keys, passkeys and ties to the OpenID provider. Tells the owner. */
export async function endKeys(
  deps: Deps,
  transaction: Transaction,
  userId: number,
  language: Language,
): Promise<EndedKeys> {
  const endOf = async (table: 'api_keys' | 'passkeys') => {
    const { numDeletedRows } = await transaction
      // Both tables have this column.
      .deleteFrom(table as 'api_keys')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return Number(numDeletedRows);
  };
  // Who proves only the second factor now would be tied by it.
  await endChallenges(transaction, userId);
  const ended = {
    keys: await endOf('api_keys'),
    passkeys: await endOf('passkeys'),
    ties: await endTies(transaction, userId),
  };
  if (hasEnded(ended)) await tellOwner(deps, transaction, userId, { kind: 'keys_ended', language });
  return ended;
}

/** For the audit log: what there was. */
export function endedDetails({ keys, passkeys, ties }: EndedKeys): Record<string, unknown> {
  return {
    ...(keys > 0 && { keys_ended: keys }),
    ...(passkeys > 0 && { passkeys_ended: passkeys }),
    ...(ties > 0 && { oidc: false }),
  };
}

/** `done`, and what has ended with it. */
export function withEnded(done: string, ended: EndedKeys): string {
  if (!hasEnded(ended)) return done;
  const { keys, passkeys, ties } = ended;
  return `${done}. Ended: API keys ${keys}, passkeys ${passkeys}, ties to the sign-in provider ${ties}`;
}

function hasEnded({ keys, passkeys, ties }: EndedKeys): boolean {
  return keys + passkeys + ties > 0;
}
