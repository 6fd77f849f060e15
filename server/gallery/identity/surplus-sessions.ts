/** Bounds the sessions of an account, and says which of them SESSION_IDLE has ended. */
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import type { Transaction } from '../../platform/db/tables.ts';

const maxSessions = 100;
/** Maximum number of surplus sessions that one statement deletes. Each sign-in adds only one session. */
const maxDropped = 1000;

/**
 * Returns the Unix time since which a session must have been used to be valid (SESSION_IDLE). Returns -1 if
 * sessions do not expire by idleness.
 */
export function computeIdleLimit({ sessionIdle }: Pick<Config, 'sessionIdle'>, now: number): number {
  return sessionIdle > 0 ? now - sessionIdle : -1;
}

/**
 * Deletes the least recently used sessions beyond the maximum. Expired sessions stay for a while but have a maximum of
 * their own, so they never displace active ones.
 */
export async function deleteSurplusSessions(
  { clock, config }: Deps,
  transaction: Transaction,
  userId: number,
): Promise<void> {
  const now = clock();
  const sessions = transaction.selectFrom('sessions').select('id').where('user_id', '=', userId);
  const since = computeIdleLimit(config, now);
  const goesOn = sessions.where('expire_time', '>', now).where('last_used_time', '>', since);
  const hasEnded = sessions.where((is) =>
    is.or([is('expire_time', '<=', now), is('last_used_time', '<=', since)]),
  );
  for (const some of [goesOn.orderBy('last_used_time', 'desc'), hasEnded]) {
    const surplus = some.orderBy('id', 'desc').limit(maxDropped).offset(maxSessions);
    const ids = (await surplus.execute()).map(({ id }) => id);
    if (ids.length > 0) await transaction.deleteFrom('sessions').where('id', 'in', ids).execute();
  }
}
