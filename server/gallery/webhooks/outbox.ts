/** Writes deliveries in the transaction of the event, so that neither is stored without the other. */
import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../platform/db/tables.ts';
import type { DeliveryRow, WebhookRow } from '../../platform/db/tables-webhooks.ts';
import type { WebhookEventType } from './events.ts';

/** Seconds after an event until the server stops retrying its deliveries. */
const giveUpSeconds = 86_400;

/** Maximum number of deliveries that wait for one failing webhook. The server discards further events. */
const maxWaiting = 10_000;

export type WebhookToNotify = Pick<WebhookRow, 'id' | 'user_id' | 'failing_since' | 'resume_time'>;

export interface WebhookMessage {
  /** Id of the event, sent in the header `webhook-id`. */
  eventId: string;
  type: WebhookEventType | string;
  /** Body of the delivery, in JSON. */
  payload: string;
}

export function createWebhookEventId(): string {
  return `msg_${randomBytes(18).toString('base64url')}`;
}

/**
 * Inserts one delivery for each webhook. A delivery is due at once, or at the end of the pause of a failing webhook.
 */
export async function insertDeliveries(
  transaction: Transaction,
  now: number,
  addressees: WebhookToNotify[],
  { eventId, type, payload }: WebhookMessage,
): Promise<DeliveryRow[]> {
  const rows = addressees.map(({ id, user_id, resume_time }) => ({
    webhook_id: id,
    user_id,
    event_id: eventId,
    type,
    payload,
    status: 'pending' as const,
    attempts: 0,
    due_time: Math.max(now, resume_time),
    give_up_time: now + giveUpSeconds,
    last_attempt_time: null,
    response_status: null,
    duration_ms: null,
    error: '',
    create_time: now,
  }));
  if (rows.length === 0) return [];
  return transaction.insertInto('webhook_deliveries').values(rows).returningAll().execute();
}

/**
 * Returns false if a failing webhook has too many waiting deliveries. Only failing webhooks are counted, because the
 * others have short queues.
 */
export async function canQueueDelivery(transaction: Transaction, webhook: WebhookToNotify): Promise<boolean> {
  if (webhook.failing_since === null) return true;
  const last = await transaction
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', webhook.id)
    .where('due_time', 'is not', null)
    .orderBy('due_time')
    .offset(maxWaiting - 1)
    .limit(1)
    .executeTakeFirst();
  return last === undefined;
}
