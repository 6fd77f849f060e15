/** Deliveries of a webhook: lists them, redelivers an event, sends a test event. */

import type { Deps } from '../../deps.ts';
import { countRows } from '../../platform/db/rows.ts';
import type { DeliveryRow } from '../../platform/db/tables-webhooks.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createPagination, type PaginationRequest, toRowWindow } from '../../platform/http/pagination.ts';
import type { Viewer } from '../identity/viewer.ts';
import { createWebhookPayload } from './events.ts';
import { canQueueDelivery, createWebhookEventId, insertDeliveries, type WebhookMessage } from './outbox.ts';
import { presentDelivery } from './present.ts';
import { deliveryQueuedEvent } from './signals.ts';
import { getWebhook } from './store.ts';

/**
 * Lists the deliveries of a webhook, the newest first. The maintenance run limits their number, so that counting them
 * stays fast. Throws webhookNotFound.
 */
export async function listDeliveries(deps: Deps, viewer: Viewer, webhookId: number, page: PaginationRequest) {
  await getWebhook(deps, viewer.id, webhookId);
  const { limit, offset } = toRowWindow(page);
  const ofWebhook = deps.db.slow().selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId);
  const n = await countRows(ofWebhook);
  const ids = ofWebhook.select('id').orderBy('id', 'desc').limit(limit).offset(offset).as('page');
  const rows = await deps.db
    .slow()
    .selectFrom('webhook_deliveries')
    .innerJoin(ids, 'page.id', 'webhook_deliveries.id')
    .selectAll('webhook_deliveries')
    .orderBy('webhook_deliveries.id', 'desc')
    .execute();
  return { list: rows.map(presentDelivery), pagination: createPagination(page, n) };
}

/**
 * Sends the event of an earlier delivery again, as a new delivery with the same event id. Throws webhookNotFound,
 * deliveryNotFound, webhookInactive or tooManyRequests.
 */
export async function repeatDelivery(
  deps: Deps,
  viewer: Viewer,
  webhookId: number,
  deliveryId: number,
): Promise<DeliveryRow> {
  const webhook = await getWebhook(deps, viewer.id, webhookId);
  const delivery = await deps.db.kysely
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', deliveryId)
    .where('webhook_id', '=', webhookId)
    .executeTakeFirst();
  if (!delivery) throw errors.deliveryNotFound();
  const { event_id: eventId, type, payload } = delivery;
  return deliverNow(deps, webhook.id, { eventId, type, payload });
}

/** Sends a test event to a webhook. Throws webhookNotFound, webhookInactive or tooManyRequests. */
export async function sendWebhookTest(deps: Deps, viewer: Viewer, webhookId: number): Promise<DeliveryRow> {
  const webhook = await getWebhook(deps, viewer.id, webhookId);
  const payload = createWebhookPayload('webhook.test', deps.clock(), { webhook_id: webhook.id });
  return deliverNow(deps, webhook.id, { eventId: createWebhookEventId(), type: 'webhook.test', payload });
}

/** Queues a delivery that is due at once, even if the webhook is paused after failures. */
async function deliverNow(deps: Deps, webhookId: number, message: WebhookMessage): Promise<DeliveryRow> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const held = await transaction
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', webhookId)
      .forKeyShare()
      .executeTakeFirst();
    if (!held) throw errors.webhookNotFound();
    if (held.is_active !== 1) throw errors.webhookInactive();
    if (!(await canQueueDelivery(transaction, held))) {
      throw errors.tooManyRequests({
        message: 'Too many deliveries are waiting for this target. Try again later.',
      });
    }
    const addressee = { ...held, resume_time: 0 };
    const [row] = await insertDeliveries(transaction, deps.clock(), [addressee], message);
    deps.db.signal(transaction, deliveryQueuedEvent);
    return row!;
  });
}
