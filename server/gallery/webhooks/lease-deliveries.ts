/**
 * Leases due deliveries, so that only one process sends each. Limits the parallel attempts per webhook and per user.
 */

import type { Deps } from '../../deps.ts';
import type { DeliveryRow } from '../../platform/db/tables-webhooks.ts';
import { leaseDueRows } from '../../platform/outbox/lease.ts';

/** Maximum number of parallel attempts in this process: in total, per webhook, and per user. */
const maxAtOnce = 20;
const maxOfWebhook = 3;
const maxOfUser = 6;

/**
 * Seconds that a process reserves a delivery for, longer than an attempt can take. After a crash, another process
 * retries the delivery after this time. A process that stalls for longer causes a duplicate, which receivers recognize
 * by its id.
 */
export const deliveryLeaseSeconds = 60;

const maxCandidates = 200;

type DeliveryCandidate = Pick<DeliveryRow, 'id' | 'webhook_id' | 'user_id'>;

/**
 * Leases the deliveries that this process sends now. Returns an empty list if no delivery is due or all attempts are in
 * use.
 */
export async function leaseDueDeliveries(
  { db, clock }: Deps,
  running: Iterable<DeliveryRow>,
): Promise<DeliveryRow[]> {
  const share = createFairShare(running);
  if (share.room() === 0) return [];
  const now = clock();
  let due = db.kysely
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id', 'user_id'])
    .where('due_time', '<=', now);
  // Busy webhooks and users are left out, so that their many waiting deliveries do not block the deliveries of others.
  const { webhooks, users } = share.busy();
  if (webhooks.length > 0) due = due.where('webhook_id', 'not in', webhooks);
  if (users.length > 0) due = due.where('user_id', 'not in', users);
  const candidates = await due.orderBy('due_time').orderBy('id').limit(maxCandidates).execute();
  const ids = candidates.filter(share.tryAdd).map(({ id }) => id);
  return leaseDueRows(db.kysely, 'webhook_deliveries', { ids, now, leaseSeconds: deliveryLeaseSeconds });
}

/** Counts the attempts in progress per webhook and per user. */
function createFairShare(running: Iterable<DeliveryRow>) {
  const webhooks = new Map<number, number>();
  const users = new Map<number, number>();
  let total = 0;
  const add = ({ webhook_id, user_id }: Pick<DeliveryCandidate, 'webhook_id' | 'user_id'>) => {
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
    tryAdd(candidate: DeliveryCandidate): boolean {
      const { webhook_id, user_id } = candidate;
      if (total >= maxAtOnce) return false;
      if ((webhooks.get(webhook_id) ?? 0) >= maxOfWebhook) return false;
      if ((users.get(user_id) ?? 0) >= maxOfUser) return false;
      add(candidate);
      return true;
    },
  };
}
