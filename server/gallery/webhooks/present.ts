/**
 * Converts rows of webhooks and deliveries to JSON. The fields are listed explicitly, so that secrets and responses of
 * a receiver never appear.
 */
import type { DeliveryRow, WebhookRow } from '../../platform/db/tables-webhooks.ts';
import { timeText } from '../../platform/http/time.ts';
import type { Webhook, WebhookDelivery } from './schema.ts';

/** Seconds of continuous failure after which a webhook is marked as failing. */
const failingSeconds = 86_400;

export function presentWebhook(row: WebhookRow, now: number): Webhook {
  const { failing_since: since } = row;
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events) as Webhook['events'],
    description: row.description,
    is_active: row.is_active,
    disabled_reason: row.disabled_reason,
    is_failing: since !== null && now - since >= failingSeconds,
    failing_since: timeOrNone(since),
    create_time: timeText(row.create_time),
  };
}

export function presentDelivery(row: Omit<DeliveryRow, 'payload'>): WebhookDelivery {
  return {
    id: row.id,
    event_id: row.event_id,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    response_status: row.response_status,
    duration_ms: row.duration_ms,
    error: row.error,
    create_time: timeText(row.create_time),
    last_attempt_time: timeOrNone(row.last_attempt_time),
    next_attempt_time: timeOrNone(row.due_time),
  };
}

function timeOrNone(time: number | null): string {
  return time === null ? '' : timeText(time);
}
