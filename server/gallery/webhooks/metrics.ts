/** Metrics of webhook deliveries in `/metrics`. */
import { Counter, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { countRows } from '../../platform/db/rows.ts';
import { addGauge } from '../../platform/operations/metrics.ts';
import { deliveryOutcomes, onDeliveryOutcome } from './signals.ts';

/** Maximum of the gauge of waiting deliveries, because a higher number would be no more alarming. */
const maxCounted = 10_000;

export function registerWebhookMetrics(registry: Registry, { db }: Deps): void {
  const attempts = new Counter({
    name: 'lightwell_webhook_attempts_total',
    help: 'Attempts to deliver webhook events, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of deliveryOutcomes) attempts.inc({ outcome }, 0);
  onDeliveryOutcome(db, (outcome) => attempts.inc({ outcome }));
  const waiting = db
    .slow()
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('due_time', 'is not', null)
    .limit(maxCounted)
    .as('waiting');
  const help = `Webhook deliveries that are waiting or being sent, at most ${maxCounted}`;
  addGauge(registry, 'lightwell_webhook_deliveries_waiting', help, 'max', () =>
    countRows(db.slow().selectFrom(waiting)),
  );
}
