/** Defines the events by which the mail queue, the dispatcher and the metrics communicate. */
import type { Database } from '../../platform/db/index.ts';

/** Outcomes of an attempt to send. Mail is `dropped` if it no longer has a recipient. */
const mailOutcomes = ['sent', 'retried', 'failed', 'dropped'] as const;
export type MailOutcome = (typeof mailOutcomes)[number];

/**
 * Values of the `outcome` label in `/metrics`. Mail that could reveal an account counts only as `asked`, never by
 * its outcome.
 */
export const mailMetricNames = [...mailOutcomes, 'asked'] as const;
export type MailMetricName = (typeof mailMetricNames)[number];

type Events = Pick<Database, 'events'>;

/** Name of the event that the database emits after a mail was queued. */
export const mailQueuedEvent = 'mail';
const mailCountedEvent = 'mail figure';

export function recordMailMetric({ events }: Events, figure: MailMetricName): void {
  events.emit(mailCountedEvent, figure);
}

export function onMailMetric({ events }: Events, listener: (figure: MailMetricName) => void): void {
  events.on(mailCountedEvent, listener);
}
