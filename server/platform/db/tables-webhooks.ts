/** Rows of webhooks: where users want to be told of events, and what is or was delivered there. See tables.ts. */
import type { Generated, Selectable } from 'kysely';

export interface WebhooksTable {
  id: Generated<number>;
  user_id: number;
  url: string;
  /** `whsec_…`, as the receiver has it: signing needs it as it is. */
  secret: string;
  /** JSON: names of events. */
  events: string;
  description: string;
  is_active: number;
  /** '' or 'gone': the target answered 410. */
  disabled_reason: string;
  /** Attempts that failed since the last one that did not. */
  failures: number;
  failing_since: number | null;
  /** Nothing is tried before: set while attempts fail one after the other. */
  resume_time: number;
  create_time: number;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** One event for one webhook: the outbox and the log in one. */
export interface WebhookDeliveriesTable {
  id: Generated<number>;
  webhook_id: number;
  /** Of the webhook; repeated here so that the queue is read from one index. */
  user_id: number;
  /** `webhook-id`: the same at every attempt, and when delivered anew. */
  event_id: string;
  type: string;
  /** JSON, sent as it is. */
  payload: string;
  status: DeliveryStatus;
  /** Attempts begun. */
  attempts: number;
  /** When to try (again); while an attempt runs, when its lease ends; null: nothing more happens. */
  due_time: number | null;
  give_up_time: number;
  last_attempt_time: number | null;
  response_status: number | null;
  duration_ms: number | null;
  /** '' or why the last attempt failed. */
  error: string;
  create_time: number;
}

export type WebhookRow = Selectable<WebhooksTable>;
export type DeliveryRow = Selectable<WebhookDeliveriesTable>;
