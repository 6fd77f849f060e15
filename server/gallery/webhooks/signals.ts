/** Between the code that writes deliveries, the dispatcher that sends them, and the figures about both. */
import type { Database } from '../../platform/db/index.ts';

/** How attempts ended: delivered, to be tried again, or given up; dropped: the webhook is no longer active. */
export const outcomes = ['delivered', 'retried', 'failed', 'dropped'] as const;
export type Outcome = (typeof outcomes)[number];

type Events = Pick<Database, 'events'>;

/** A delivery was written. */
export const deliveryWritten = 'webhook deliveries';
const ended = 'webhook attempt';

export function tellOutcome({ events }: Events, outcome: Outcome): void {
  events.emit(ended, outcome);
}

export function onOutcome({ events }: Events, listener: (outcome: Outcome) => void): void {
  events.on(ended, listener);
}
