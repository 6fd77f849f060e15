/** Between the code that writes deliveries, the dispatcher that sends them, and the figures about both. */
import type { Database } from '../../platform/db/index.ts';

/** How attempts ended: delivered, to be tried again, or given up; dropped: the webhook is no longer active. */
export const outcomes = ['delivered', 'retried', 'failed', 'dropped'] as const;
export type Outcome = (typeof outcomes)[number];

type Events = Pick<Database, 'events'>;
type StopListening = () => void;

const written = 'webhook deliveries';
const ended = 'webhook attempt';

/** Called inside the transaction that writes a delivery: what is told has not been committed yet. */
export function tellDeliveries({ events }: Events): void {
  events.emit(written);
}

export function onDeliveries({ events }: Events, listener: () => void): StopListening {
  events.on(written, listener);
  return () => events.off(written, listener);
}

export function tellOutcome({ events }: Events, outcome: Outcome): void {
  events.emit(ended, outcome);
}

export function onOutcome({ events }: Events, listener: (outcome: Outcome) => void): void {
  events.on(ended, listener);
}
