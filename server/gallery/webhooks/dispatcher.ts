/** Sends due deliveries with the shared code of platform/outbox. */

import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { DeliveryRow } from '../../platform/db/tables-webhooks.ts';
import { startOutbox } from '../../platform/outbox/dispatcher.ts';
import { leaseDueDeliveries } from './lease-deliveries.ts';
import { recordDeliveryResult } from './record.ts';
import { createSendDelivery, type SendDelivery } from './send.ts';
import { type DeliveryOutcome, deliveryQueuedEvent, recordDeliveryOutcome } from './signals.ts';

/**
 * Starts sending deliveries, and returns a function that stops sending. The returned function resolves when all
 * attempts in progress have ended, after `attemptTimeoutMs` at the latest.
 */
export function startWebhookDispatcher(
  deps: Deps,
  send: SendDelivery = createSendDelivery({ allowPrivate: deps.config.webhookAllowPrivate }),
): () => Promise<void> {
  return startOutbox<DeliveryRow>(
    {
      name: 'webhooks',
      lease: (running) => leaseDueDeliveries(deps, running),
      deliver: async (delivery) =>
        recordDeliveryOutcome(deps.db, await attemptDelivery(deps, send, delivery)),
      abandon: async (delivery) => {
        await failWithoutSending(deps, delivery, 'Not delivered: the server stopped during each attempt');
        recordDeliveryOutcome(deps.db, 'failed');
      },
      on: { events: deps.db.events, event: deliveryQueuedEvent },
    },
    deps.log,
  );
}

async function attemptDelivery(
  deps: Deps,
  send: SendDelivery,
  delivery: DeliveryRow,
): Promise<DeliveryOutcome> {
  const { db, clock } = deps;
  const target = await db.kysely
    .selectFrom('webhooks')
    .innerJoin('users', 'users.id', 'webhooks.user_id')
    .select(['webhooks.url', 'webhooks.secret', 'webhooks.is_active', 'users.status'])
    .where('webhooks.id', '=', delivery.webhook_id)
    .executeTakeFirst();
  if (target?.is_active !== 1 || target.status !== UserStatus.enabled) {
    await failWithoutSending(deps, delivery, 'Not sent: the webhook is not active', {
      last_attempt_time: null,
    });
    return 'dropped';
  }
  const { url, secret } = target;
  const { event_id: eventId, payload } = delivery;
  const result = await send({ url, secret, eventId, payload, time: clock() });
  return recordDeliveryResult(deps, delivery, result);
}

/**
 * Marks a delivery as failed without sending a request, and does not count the attempt. Deliveries that wait while the
 * webhook or its owner is disabled are not sent later.
 */
async function failWithoutSending(
  { db }: Deps,
  { id, attempts }: DeliveryRow,
  error: string,
  others: { last_attempt_time?: null } = {},
): Promise<void> {
  await db.kysely
    .updateTable('webhook_deliveries')
    .set((is) => ({
      status: 'failed',
      due_time: null,
      attempts: is('attempts', '-', 1),
      error,
      ...others,
    }))
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}
