/** Between the code that writes mail, what sends it, and the figures about both. */
import type { Database } from '../../platform/db/index.ts';

/** How attempts ended: sent, to be tried again, or given up; dropped: there is nobody that it is for. */
export const outcomes = ['sent', 'retried', 'failed', 'dropped'] as const;
export type Outcome = (typeof outcomes)[number];

type Events = Pick<Database, 'events'>;

const written = 'mail';
const ended = 'mail attempt';

/** Called inside the transaction that writes it: what is told has not been committed yet. */
export function tellMail({ events }: Events): void {
  events.emit(written);
}

export function onMail({ events }: Events, listener: () => void): () => void {
  events.on(written, listener);
  return () => events.off(written, listener);
}

export function tellOutcome({ events }: Events, outcome: Outcome): void {
  events.emit(ended, outcome);
}

export function onOutcome({ events }: Events, listener: (outcome: Outcome) => void): void {
  events.on(ended, listener);
}
