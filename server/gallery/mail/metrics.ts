/** Registers the metrics of mail for `/metrics`. */
import { Counter, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { countRows } from '../../platform/db/rows.ts';
import { addGauge } from '../../platform/operations/metrics.ts';
import { maxWaitingMails, secretMailKinds } from './outbox.ts';
import { mailMetricNames, onMailMetric } from './signals.ts';

export function registerMailMetrics(registry: Registry, { db, config }: Deps): void {
  if (!config.mail) return;
  const attempts = new Counter({
    name: 'lightwell_mail_attempts_total',
    help: 'Attempts to send mail, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of mailMetricNames) attempts.inc({ outcome }, 0);
  onMailMetric(db, (outcome) => attempts.inc({ outcome }));
  const waiting = db
    .slow()
    .selectFrom('mails')
    .select('id')
    .where('due_time', 'is not', null)
    .where('kind', 'not in', secretMailKinds)
    .limit(maxWaitingMails)
    .as('waiting');
  const help = `Mail that is waiting or being sent, at most ${maxWaitingMails}`;
  addGauge(registry, 'lightwell_mail_waiting', help, 'max', () => countRows(db.slow().selectFrom(waiting)));
}
