/**
 * Sends the rows of an outbox table (webhooks and mail) soon after they are written. A timer picks up retries and rows
 * whose process has died.
 */
import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { createBackgroundJob } from '../concurrency/job.ts';
import { logLevelFor } from '../db/dialect.ts';

/**
 * Maximum attempts for one row. Rows usually expire earlier; more attempts mean that the processes that tried the row
 * have died.
 */
export const maxOutboxAttempts = 20;
const idleMs = 5000;

export interface Outbox<Row extends { id: number; attempts: number }> {
  /** Name of the outbox for log messages, such as webhooks or mail. */
  name: string;
  /** Takes due rows for this process alone (see `claim.ts`). `running` are the rows that this process is sending. */
  lease(running: Iterable<Row>): Promise<Row[]>;
  /** Makes one attempt to send a row, and records the result. */
  deliver(row: Row): Promise<void>;
  /**
   * Marks an unsent row (a mail or a webhook delivery) as failed after `maxOutboxAttempts` attempts without a result. Each
   * attempt ended with a crash of the process, so no process could record its result.
   */
  abandon(row: Row): Promise<void>;
  /** Event that is emitted when a row is written. */
  on: { events: EventEmitter; event: string };
}

/** Starts sending. Returns a function that stops the sending and resolves when the attempts in progress have ended. */
export function startOutbox<Row extends { id: number; attempts: number }>(
  { name, lease, deliver, abandon, on }: Outbox<Row>,
  log: Logger,
): () => Promise<void> {
  const running = new Map<Row, Promise<void>>();
  const job = createBackgroundJob({
    async run() {
      const claimed = await lease(running.keys());
      for (const row of claimed) start(row);
      // More rows may be due for recipients that were skipped because they are busy now.
      if (claimed.length > 0) job.start();
    },
    onError: (error) =>
      log.warn({ err: error }, `${name}: the queue could not be read, and is read again soon`),
    on,
    everyMs: idleMs,
  });

  function start(row: Row): void {
    const isOver = row.attempts > maxOutboxAttempts;
    if (isOver)
      log.warn({ delivery: row.id }, `${name}: not sent, because the process stopped during each attempt`);
    const attempt = (isOver ? abandon : deliver)(row)
      .catch((error: unknown) => {
        // The row is retried when its lease ends.
        log[logLevelFor(error)](
          { err: error, delivery: row.id },
          `${name}: the result of an attempt could not be saved`,
        );
      })
      .finally(() => {
        running.delete(row);
        job.start();
      });
    running.set(row, attempt);
  }

  job.start();

  return async () => {
    await job.stop();
    await Promise.all(running.values());
  };
}
