/** Registers the metrics of mail for `/metrics`. */
import { Counter, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { countRows } from '../../platform/db/rows.ts';
import { addGauge } from '../../platform/operations/metrics.ts';
import { maxWaitingMails, secretKinds } from './outbox.ts';
import { metricNames, onMetric } from './signals.ts';

export function measureMail(registry: Registry, { db, config }: Deps): void {
  if (!config.mail) return;
  const attempts = new Counter({
    name: 'lightwell_mail_attempts_total',
    help: 'Attempts to send mail, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of metricNames) attempts.inc({ outcome }, 0);
  onMetric(db, (outcome) => attempts.inc({ outcome }));
  const waiting = db
    .slow()
    .selectFrom('mails')
    .select('id')
    .where('due_time', 'is not', null)
    .where('kind', 'not in', secretKinds)
    .limit(maxWaitingMails)
    .as('waiting');
  const help = `Mail that is waiting or being sent, at most ${maxWaitingMails}`;
  addGauge(registry, 'lightwell_mail_waiting', help, 'max', () => countRows(db.slow().selectFrom(waiting)));
}
