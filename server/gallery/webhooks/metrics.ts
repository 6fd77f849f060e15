/** Figures about deliveries: `/metrics`. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { countOf } from '../../platform/db/rows.ts';
import { onOutcome, outcomes } from './signals.ts';

/** Counting goes no further: more is as alarming. */
const maxCounted = 10_000;

export function measureWebhooks(registry: Registry, { db }: Deps): void {
  const attempts = new Counter({
    name: 'lightwell_webhook_attempts_total',
    help: 'Attempts to deliver to webhooks, by how they ended',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of outcomes) attempts.inc({ outcome }, 0);
  onOutcome(db, (outcome) => attempts.inc({ outcome }));
  new Gauge({
    name: 'lightwell_webhook_deliveries_waiting',
    help: `Deliveries to make or under way, at most ${maxCounted}`,
    registers: [registry],
    // Every worker counts the same rows.
    aggregator: 'max',
    async collect() {
      const waiting = db.slow
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('due_time', 'is not', null)
        .limit(maxCounted)
        .as('waiting');
      this.set(await countOf(db.slow.selectFrom(waiting)));
    },
  });
}
