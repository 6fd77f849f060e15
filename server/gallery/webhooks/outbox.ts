/** Writes deliveries, in the transaction of what they tell about: neither exists without the other. */
import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../platform/db/tables.ts';
import type { DeliveryRow, WebhookRow } from '../../platform/db/tables-webhooks.ts';
import type { EventType } from './events.ts';

/** Given up this long after the event, in seconds. */
const giveUpSeconds = 86_400;

/** Events for one webhook that wait because its target fails; more are not kept. */
const maxWaiting = 10_000;

export type Addressee = Pick<WebhookRow, 'id' | 'user_id' | 'failing_since' | 'resume_time'>;

export interface Message {
  /** The `webhook-id`. */
  eventId: string;
  type: EventType | string;
  /** JSON. */
  payload: string;
}

export function newEventId(): string {
  return `msg_${randomBytes(18).toString('base64url')}`;
}

/** One delivery for each webhook; due at once, or when a failing target is tried again. */
export async function insertDeliveries(
  transaction: Transaction,
  now: number,
  addressees: Addressee[],
  { eventId, type, payload }: Message,
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

/** Asked only of targets that fail: the others' queues are short. */
export async function hasRoom(transaction: Transaction, webhook: Addressee): Promise<boolean> {
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
