/** Main thread's side of a SQLite worker thread. The thread starts with its first statement. */
import { Worker } from 'node:worker_threads';
import { DatabaseUnavailable } from '../dialect.ts';
import type { SqliteOptions, StatementResult } from './statements.js';
import type { Answer, Request, Work } from './worker.js';

export type SqliteThread = ReturnType<typeof createSqliteThread>;

/**
 * Script of the thread, and milliseconds after which a thread that has not begun is replaced. About one in
 * some thousand Node threads hangs before its first line (Node 26.10). Statements are sent only to a thread that has
 * begun, so none runs twice.
 */
const defaultStart = { script: new URL('./worker.js', import.meta.url), withinMs: 10_000 };

interface WaitingStatement {
  resolve(result: StatementResult): void;
  reject(error: Error): void;
}

export function createSqliteThread(
  file: string,
  options: SqliteOptions,
  { script, withinMs } = defaultStart,
) {
  const waiting = new Map<number, WaitingStatement>();
  let worker: Worker | undefined;
  /** Messages that wait because the thread has not begun yet. */
  let unsent: unknown[] = [];
  let hasBegun = false;
  let isClosed = false;
  let nextId = 1;

  function start(): Worker {
    const started = new Worker(script, { workerData: { file, options } });
    const timer = setTimeout(() => {
      worker = start();
      void started.terminate();
    }, withinMs);
    started.on('message', (answer: Answer) => {
      if (worker !== started) return;
      if (answer !== 'begun') return settle(answer);
      clearTimeout(timer);
      hasBegun = true;
      for (const message of unsent.splice(0)) started.postMessage(message);
    });
    // A thread that died or could not be created is replaced at the next statement. Statements of a thread that had
    // begun may have taken effect.
    const end = (cause: unknown) => {
      clearTimeout(timer);
      if (worker === started) fail(new DatabaseUnavailable(cause, { mayHaveCommitted: hasBegun }));
    };
    started.on('error', end);
    started.on('exit', () => end(new Error('the database thread ended')));
    return started;
  }

  function post(message: unknown): void {
    worker ??= start();
    if (hasBegun) worker.postMessage(message);
    else unsent.push(message);
  }

  function settle(answer: Exclude<Answer, 'begun'>): void {
    const waiter = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('result' in answer) waiter?.resolve(answer.result);
    else waiter?.reject(Object.assign(new Error(answer.failure.message), answer.failure));
  }

  function fail(error: Error): void {
    worker = undefined;
    hasBegun = false;
    unsent = [];
    for (const waiter of waiting.values()) waiter.reject(error);
    waiting.clear();
  }

  function ask(work: Work): Promise<StatementResult> {
    // A request handler whose client left may continue after the server has closed. Such a handler must not start a
    // thread that nobody would end.
    if (isClosed) return Promise.reject(new DatabaseUnavailable('the database is closed'));
    const id = nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult>();
    waiting.set(id, { resolve, reject });
    post({ id, ...work } satisfies Request);
    return promise;
  }

  return {
    /** Runs a statement. Rejects with an Error that has SQLite's `errcode`, or with DatabaseUnavailable. */
    run: (sql: string, parameters: readonly unknown[], limitMs?: number) =>
      ask({ sql, parameters, limitMs, isInside: false }),
    /**
     * Runs a statement inside the current transaction. Rejects with SQLITE_ABORT if the transaction has ended, by
     * itself or with its thread.
     */
    runInside: (sql: string, parameters: readonly unknown[]) =>
      ask({ sql, parameters, limitMs: undefined, isInside: true }),
    async close(): Promise<void> {
      isClosed = true;
      if (!worker) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      worker.once('exit', () => resolve());
      post('close');
      await promise;
    },
  };
}
