/** Sends deliveries that are due (platform/outbox). */

import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { DeliveryRow } from '../../platform/db/tables-webhooks.ts';
import { startOutbox } from '../../platform/outbox/dispatcher.ts';
import { claim } from './claim.ts';
import { recordResult } from './record.ts';
import { createSend, type Send } from './send.ts';
import { type Outcome, onDeliveries, tellOutcome } from './signals.ts';

/**
 * Delivers until the function that it returns is called; that resolves when the attempts under way have ended, after
 * as long as one can take (`attemptTimeoutMs`).
 */
export function startDispatcher(
  deps: Deps,
  send: Send = createSend({ allowPrivate: deps.config.webhookAllowPrivate }),
): () => Promise<void> {
  return startOutbox<DeliveryRow>(
    {
      name: 'webhooks',
      claim: (running) => claim(deps, running),
      deliver: (delivery) => deliver(deps, send, delivery),
      onWritten: (listener) => onDeliveries(deps.db, listener),
    },
    deps.log,
  );
}

async function deliver(deps: Deps, send: Send, delivery: DeliveryRow): Promise<void> {
  const outcome = await attempt(deps, send, delivery);
  tellOutcome(deps.db, outcome);
}

async function attempt(deps: Deps, send: Send, delivery: DeliveryRow): Promise<Outcome> {
  const { db, clock } = deps;
  const target = await db.kysely
    .selectFrom('webhooks')
    .innerJoin('users', 'users.id', 'webhooks.user_id')
    .select(['webhooks.url', 'webhooks.secret', 'webhooks.is_active', 'users.status'])
    .where('webhooks.id', '=', delivery.webhook_id)
    .executeTakeFirst();
  if (target?.is_active !== 1 || target.status !== UserStatus.enabled) {
    await drop(deps, delivery);
    return 'dropped';
  }
  const { url, secret } = target;
  const { event_id: eventId, payload } = delivery;
  const result = await send({ url, secret, eventId, payload, time: clock() });
  return recordResult(deps, delivery, result);
}

/** What is waiting when a webhook, or its owner's account, is switched off is not delivered later. */
async function drop({ db }: Deps, { id, attempts }: DeliveryRow): Promise<void> {
  await db.kysely
    .updateTable('webhook_deliveries')
    .set((is) => ({
      status: 'failed',
      due_time: null,
      attempts: is('attempts', '-', 1),
      last_attempt_time: null,
      error: 'Not sent: the webhook is not active',
    }))
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}
