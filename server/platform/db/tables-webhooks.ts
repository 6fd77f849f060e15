/** Table rows for webhooks: target URLs of users, and deliveries to them. See `tables.ts`. */
import type { Generated, Selectable } from 'kysely';

export interface WebhooksTable {
  id: Generated<number>;
  user_id: number;
  url: string;
  /** Signing secret `whsec_…`, stored unencrypted because signing needs it. */
  secret: string;
  /** Names of the subscribed events as a JSON list. */
  events: string;
  description: string;
  is_active: number;
  /** Reason why the webhook was turned off: 'gone' if the target answered 410, else empty. */
  disabled_reason: string;
  /** Number of failed attempts since the last success. */
  failures: number;
  failing_since: number | null;
  /** Time before which no delivery is attempted. Set while attempts fail repeatedly. */
  resume_time: number;
  create_time: number;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** Delivery of one event to one webhook. The table is both the outbox and the delivery log. */
export interface WebhookDeliveriesTable {
  id: Generated<number>;
  webhook_id: number;
  /** Owner of the webhook. A copy of the webhook's column, so that one index serves the queue. */
  user_id: number;
  /** Value of the header `webhook-id`, the same for each attempt and for a repeated delivery. */
  event_id: string;
  type: string;
  /** Body of the webhook request as JSON, sent unchanged. */
  payload: string;
  status: DeliveryStatus;
  /** Number of attempts to deliver the event that have begun. */
  attempts: number;
  /**
   * Time of the next attempt in Unix seconds. During an attempt, this is the end of the lease. Null if no attempt will
   * follow.
   */
  due_time: number | null;
  give_up_time: number;
  last_attempt_time: number | null;
  response_status: number | null;
  duration_ms: number | null;
  /** Reason why the last attempt failed. Empty if there was no failure. */
  error: string;
  create_time: number;
}

export type WebhookRow = Selectable<WebhooksTable>;
export type DeliveryRow = Selectable<WebhookDeliveriesTable>;
