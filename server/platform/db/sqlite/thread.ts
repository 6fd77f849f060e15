/** The main thread's end of a SQLite worker. The thread starts with its first statement. */
import { Worker } from 'node:worker_threads';
import type { SqliteOptions, StatementResult } from './statements.js';
import type { Answer } from './worker.js';

export type SqliteThread = ReturnType<typeof createSqliteThread>;

interface Waiting {
  resolve(result: StatementResult): void;
  reject(error: Error): void;
}

export function createSqliteThread(file: string, options: SqliteOptions) {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let nextId = 1;

  function start(): Worker {
    const started = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: { file, options },
    });
    started.on('message', (answer: Answer) => {
      const waiter = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('result' in answer) waiter?.resolve(answer.result);
      else waiter?.reject(Object.assign(new Error(answer.failure.message), answer.failure));
    });
    // A thread that died is replaced at the next statement; what it was asked fails.
    started.on('error', (error) => fail(error as Error));
    started.on('exit', () => fail(new Error('the database thread ended')));
    return started;
  }

  function fail(error: Error): void {
    worker = undefined;
    for (const waiter of waiting.values()) waiter.reject(error);
    waiting.clear();
  }

  return {
    /** Rejects with an Error that carries SQLite's `errcode`. */
    run(sql: string, parameters: readonly unknown[], limitMs?: number): Promise<StatementResult> {
      worker ??= start();
      const id = nextId++;
      const { promise, resolve, reject } = Promise.withResolvers<StatementResult>();
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, sql, parameters, limitMs });
      return promise;
    },
    async close(): Promise<void> {
      if (!worker) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      worker.once('exit', () => resolve());
      worker.postMessage('close');
      await promise;
    },
  };
}
