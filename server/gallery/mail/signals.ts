/** Between the code that writes mail, what sends it, and the figures about both. */
import type { Database } from '../../platform/db/index.ts';

/** How attempts ended: sent, to be tried again, or given up; dropped: there is nobody that it is for. */
const outcomes = ['sent', 'retried', 'failed', 'dropped'] as const;
export type Outcome = (typeof outcomes)[number];

/** As `/metrics` has them: of what was asked for by whoever wants to know who has an account, no outcome is told. */
export const figures = [...outcomes, 'asked'] as const;
export type Figure = (typeof figures)[number];

type Events = Pick<Database, 'events'>;

/** Event: a mail was written to the outbox. */
export const mailWritten = 'mail';
const counted = 'mail figure';

export function tellFigure({ events }: Events, figure: Figure): void {
  events.emit(counted, figure);
}

export function onFigure({ events }: Events, listener: (figure: Figure) => void): void {
  events.on(counted, listener);
}
