/**
 * Sends what waits in a table: soon after it is written, and by a timer what is to be tried again or another process
 * left. Webhooks and mail are sent by it.
 */
import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { createJob } from '../concurrency/job.ts';
import { levelOf } from '../db/dialect.ts';

/** More than there are before a row is given up by its time: the processes that tried it have died. */
export const maxAttempts = 20;
const idleMs = 5000;

export interface Outbox<Row extends { id: number; attempts: number }> {
  /** For the log. */
  name: string;
  /** Takes what is due for this process alone; `running`: what it has under way. See claim.ts. */
  claim(running: Iterable<Row>): Promise<Row[]>;
  /** One attempt, and what its result means. */
  deliver(row: Row): Promise<void>;
  /** In place of one attempt too many (`maxAttempts`): none of those before lived to record how it ended. */
  abandon(row: Row): Promise<void>;
  /** The event that a written row causes. */
  on: { events: EventEmitter; event: string };
}

/** Delivers until the function that it returns is called; that resolves when the attempts under way have ended. */
export function startOutbox<Row extends { id: number; attempts: number }>(
  { name, claim, deliver, abandon, on }: Outbox<Row>,
  log: Logger,
): () => Promise<void> {
  const running = new Map<Row, Promise<void>>();
  const looking = createJob({
    async run() {
      const claimed = await claim(running.keys());
      for (const row of claimed) start(row);
      // More may be due for those that were not looked at since they are busy now.
      if (claimed.length > 0) looking.start();
    },
    onError: (error) =>
      log.warn({ err: error }, `${name}: the queue could not be read, it is tried again soon`),
    on,
    everyMs: idleMs,
  });

  function start(row: Row): void {
    const isOver = row.attempts > maxAttempts;
    if (isOver) log.warn({ delivery: row.id }, `${name}: given up, as no process lived to send it`);
    const attempt = (isOver ? abandon : deliver)(row)
      .catch((error: unknown) => {
        // The lease ends, and then it is tried again.
        log[levelOf(error)]({ err: error, delivery: row.id }, `${name}: an attempt was not recorded`);
      })
      .finally(() => {
        running.delete(row);
        looking.start();
      });
    running.set(row, attempt);
  }

  looking.start();

  return async () => {
    await looking.stop();
    await Promise.all(running.values());
  };
}
