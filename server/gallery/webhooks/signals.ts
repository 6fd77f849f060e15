/** Signals between the code that writes deliveries, the dispatcher that sends them, and the metrics. */
import type { Database } from '../../platform/db/index.ts';

/**
 * Outcomes of an attempt. `retried` means that another attempt follows, `failed` is final, and `dropped` means that the
 * webhook is no longer active.
 */
export const deliveryOutcomes = ['delivered', 'retried', 'failed', 'dropped'] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

type Events = Pick<Database, 'events'>;

/** Name of the signal that a delivery was written. */
export const deliveryQueuedEvent = 'webhook deliveries';
const attemptEndedEvent = 'webhook attempt';

export function recordDeliveryOutcome({ events }: Events, outcome: DeliveryOutcome): void {
  events.emit(attemptEndedEvent, outcome);
}

export function onDeliveryOutcome({ events }: Events, listener: (outcome: DeliveryOutcome) => void): void {
  events.on(attemptEndedEvent, listener);
}
