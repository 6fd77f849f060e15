/** Takes deliveries that are due, each for one process alone, and no more of a target than its share. */

import type { Deps } from '../../deps.ts';
import type { DeliveryRow } from '../../platform/db/tables-webhooks.ts';
import { claimDue } from '../../platform/outbox/claim.ts';

/** Attempts under way in this process: at all, of one webhook, and of all webhooks of a user. */
const maxAtOnce = 20;
const maxOfWebhook = 3;
const maxOfUser = 6;

/**
 * Longer than an attempt can take. A process that dies keeps a delivery from the others for so long; one that is
 * held up for longer has it sent twice, which receivers tell by its id.
 */
export const leaseSeconds = 60;

const lookedAt = 200;

type Candidate = Pick<DeliveryRow, 'id' | 'webhook_id' | 'user_id'>;

/** Returns what this process has to send now, none when nothing is due or there is no room. */
export async function claim({ db, clock }: Deps, running: Iterable<DeliveryRow>): Promise<DeliveryRow[]> {
  const share = createShare(running);
  if (share.room() === 0) return [];
  const now = clock();
  let due = db.kysely
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id', 'user_id'])
    .where('due_time', '<=', now);
  // So that thousands that wait for one target do not hide the others'.
  const { webhooks, users } = share.busy();
  if (webhooks.length > 0) due = due.where('webhook_id', 'not in', webhooks);
  if (users.length > 0) due = due.where('user_id', 'not in', users);
  const candidates = await due.orderBy('due_time').orderBy('id').limit(lookedAt).execute();
  const ids = candidates.filter(share.take).map(({ id }) => id);
  return claimDue(db.kysely, 'webhook_deliveries', { ids, now, leaseSeconds });
}

/** Who has how many attempts under way. */
function createShare(running: Iterable<DeliveryRow>) {
  const webhooks = new Map<number, number>();
  const users = new Map<number, number>();
  let total = 0;
  const add = ({ webhook_id, user_id }: Pick<Candidate, 'webhook_id' | 'user_id'>) => {
    webhooks.set(webhook_id, (webhooks.get(webhook_id) ?? 0) + 1);
    users.set(user_id, (users.get(user_id) ?? 0) + 1);
    total++;
  };
  for (const delivery of running) add(delivery);
  const full = (counts: Map<number, number>, max: number) =>
    [...counts].filter(([, count]) => count >= max).map(([id]) => id);

  return {
    room: () => maxAtOnce - total,
    busy: () => ({ webhooks: full(webhooks, maxOfWebhook), users: full(users, maxOfUser) }),
    take(candidate: Candidate): boolean {
      const { webhook_id, user_id } = candidate;
      if (total >= maxAtOnce) return false;
      if ((webhooks.get(webhook_id) ?? 0) >= maxOfWebhook) return false;
      if ((users.get(user_id) ?? 0) >= maxOfUser) return false;
      add(candidate);
      return true;
    },
  };
}
