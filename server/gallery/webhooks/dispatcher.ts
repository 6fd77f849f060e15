/** Sends what is due: soon after an event, and by a timer what is to be tried again or another process left. */

import type { Deps } from '../../deps.ts';
import { createJob } from '../../platform/concurrency/job.ts';
import { levelOf } from '../../platform/db/dialect.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { DeliveryRow } from '../../platform/db/tables-webhooks.ts';
import { claim } from './claim.ts';
import { recordResult } from './record.ts';
import { createSend, type Send } from './send.ts';
import { type Outcome, onDeliveries, tellOutcome } from './signals.ts';

const idleMs = 5000;
/** An event is committed a moment after it is written: a look that comes too early is followed by others. */
const afterWakeMs = [20, 100, 500];

/**
 * Delivers until the function that it returns is called; that resolves when the attempts under way have ended, after
 * as long as one can take (`attemptTimeoutMs`).
 */
export function startDispatcher(
  deps: Deps,
  send: Send = createSend({ allowPrivate: deps.config.webhookAllowPrivate }),
): () => Promise<void> {
  const running = new Map<DeliveryRow, Promise<void>>();
  let timers = 0;
  const looking = createJob({
    async run() {
      const claimed = await claim(deps, running.keys());
      for (const delivery of claimed) start(delivery);
      // More may be due of targets that were not looked at for those that are busy now.
      if (claimed.length > 0) looking.start();
    },
    onError: (error) =>
      deps.log.warn({ err: error }, 'webhooks: the queue could not be read, it is tried again soon'),
    everyMs: idleMs,
  });

  function start(delivery: DeliveryRow): void {
    const attempt = deliver(deps, send, delivery)
      .catch((error: unknown) => {
        // The lease ends, and then it is tried again.
        deps.log[levelOf(error)](
          { err: error, delivery: delivery.id },
          'webhooks: an attempt was not recorded',
        );
      })
      .finally(() => {
        running.delete(delivery);
        looking.start();
      });
    running.set(delivery, attempt);
  }

  function lookIn(ms: number): void {
    timers++;
    setTimeout(() => {
      timers--;
      looking.start();
    }, ms).unref();
  }

  function lookSoon(): void {
    // Those of an earlier call are enough, unless they are over soon.
    if (timers < afterWakeMs.length * 2) for (const ms of afterWakeMs) lookIn(ms);
  }

  const stopListening = onDeliveries(deps.db, lookSoon);
  looking.start();

  return async () => {
    stopListening();
    await looking.stop();
    await Promise.all(running.values());
  };
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
