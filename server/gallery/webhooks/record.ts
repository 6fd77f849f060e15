/**
 * Records the result of an attempt in the delivery, in the webhook's health, and in the webhook's other waiting
 * deliveries.
 */
import type { Deps } from '../../deps.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import type { DeliveryRow, WebhookRow } from '../../platform/db/tables-webhooks.ts';
import { computeOutboxPause } from '../../platform/outbox/lease.ts';
import type { DeliveryResult } from './send.ts';
import type { DeliveryOutcome } from './signals.ts';

const goneStatus = 410;
const postponedAtOnce = 1000;

/**
 * Records the result of an attempt. Locks the webhook before its deliveries, in the same order as deleting a webhook.
 */
export async function recordDeliveryResult(
  deps: Deps,
  delivery: DeliveryRow,
  result: DeliveryResult,
): Promise<DeliveryOutcome> {
  const now = deps.clock();
  const { outcome, resumeTime } = await deps.db.kysely.transaction().execute(async (transaction) => {
    const resumeTime = await recordHealth(transaction, delivery.webhook_id, result, now);
    const next = now + computeOutboxPause(delivery.attempts);
    const dueTime = Math.max(next, resumeTime);
    const outcome = decideOutcome(result, dueTime > delivery.give_up_time);
    await transaction
      .updateTable('webhook_deliveries')
      .set({
        status: outcome === 'retried' ? 'pending' : outcome,
        due_time: outcome === 'retried' ? dueTime : null,
        response_status: result.status,
        duration_ms: result.durationMs,
        error: result.error,
      })
      .where('id', '=', delivery.id)
      // If the lease has expired and another process retries the delivery, only that process records a result.
      .where('attempts', '=', delivery.attempts)
      .execute();
    return { outcome, resumeTime };
  });
  if (resumeTime > now) await postponeDeliveries(deps, delivery.webhook_id, resumeTime);
  return outcome;
}

function decideOutcome(
  { error, status }: DeliveryResult,
  isTooLate: boolean,
): Exclude<DeliveryOutcome, 'dropped'> {
  if (error === '') return 'delivered';
  return isTooLate || status === goneStatus ? 'failed' : 'retried';
}

/**
 * Updates the failure counters of a webhook. Returns the Unix time until which its deliveries wait, or 0 for no pause.
 */
async function recordHealth(
  transaction: Transaction,
  webhookId: number,
  { error, status }: DeliveryResult,
  now: number,
): Promise<number> {
  const webhooks = transaction.updateTable('webhooks').where('id', '=', webhookId);
  if (error === '') {
    await webhooks.set(healthyWebhookColumns).where('failures', '>', 0).execute();
    return 0;
  }
  const failed = await webhooks
    .set((is) => ({
      failures: is('failures', '+', 1),
      failing_since: is.fn.coalesce('failing_since', is.val(now)),
      ...(status === goneStatus && { is_active: 0, disabled_reason: 'gone' }),
    }))
    .returning('failures')
    .executeTakeFirst();
  const pause = targetPauseAfter(failed?.failures ?? 0);
  if (pause === 0) return 0;
  const resumeTime = now + pause;
  await webhooks.set({ resume_time: resumeTime }).execute();
  return resumeTime;
}

export const healthyWebhookColumns = {
  failures: 0,
  failing_since: null,
  resume_time: 0,
} satisfies Partial<WebhookRow>;

/**
 * Postpones the other waiting deliveries of a failing webhook, so that they do not fail one by one. Deliveries that
 * would wait too long fail at once.
 */
async function postponeDeliveries({ db, clock }: Deps, webhookId: number, resumeTime: number): Promise<void> {
  const waiting = db.kysely
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('due_time', '<=', clock())
    .orderBy('id')
    .limit(postponedAtOnce);
  const deliveries = db.kysely.updateTable('webhook_deliveries');
  await deliveries
    .set({ status: 'failed', due_time: null, error: 'Not delivered: all attempts failed' })
    .where('id', 'in', waiting.where('give_up_time', '<', resumeTime).forUpdate())
    .execute();
  await deliveries.set({ due_time: resumeTime }).where('id', 'in', waiting.forUpdate()).execute();
}

/**
 * Number of failures in a row before all deliveries of a webhook wait, because the cause is then the receiver and not
 * one delivery.
 */
const failuresBeforePause = 4;
const longestTargetPause = 3600;

/**
 * Returns the seconds that all deliveries of a webhook wait after `failures` failed attempts in a row. 0 means no
 * pause.
 */
function targetPauseAfter(failures: number, random = Math.random): number {
  if (failures < failuresBeforePause) return 0;
  return Math.min(computeOutboxPause(failures - failuresBeforePause + 1, random), longestTargetPause);
}
