/** A thread with a SQLite connection of its own: runs the statements that it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteConnection, type SqliteOptions, type StatementResult } from './sqlite-statements.ts';

export interface Request {
  id: number;
  sql: string;
  parameters: readonly unknown[];
}

export type Answer =
  | { id: number; result: StatementResult }
  | { id: number; failure: { message: string; errcode: number } };

const { file, options } = workerData as { file: string; options: SqliteOptions };
const connection = openSqliteConnection(file, options);

parentPort!.on('message', (request: Request | 'close') => {
  if (request === 'close') {
    connection.close();
    parentPort!.close();
    return;
  }
  parentPort!.postMessage(answer(request));
});

function answer({ id, sql, parameters }: Request): Answer {
  try {
    return { id, result: connection.run(sql, parameters) };
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    return { id, failure: { message, errcode: errcode ?? 0 } };
  }
}
