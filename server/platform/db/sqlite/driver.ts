/**
 * Kysely driver for SQLite with several connections. Reads run on the main thread and take microseconds each. Writes
 * and transactions run in a separate thread, because they wait for the disk and for locks of other processes.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { currentCaller } from '../../concurrency/fair-order.ts';
import { createFairQueue } from '../../concurrency/fair-queue.ts';
import { createMutex } from '../../concurrency/mutex.ts';
import type { CallTimes } from '../../process/call-times.ts';
import { DatabaseUnavailable } from '../dialect.ts';
import { slowReadBounds } from '../slow-reads.ts';
import { translateSqliteError } from './errors.ts';
import type { SqliteConnection, StatementResult } from './statements.js';
import type { SqliteThread } from './thread.ts';

/** Maximum waiting writes. Further writes fail at once, because the server is busy. */
const maxWaitingWrites = 1000;

/**
 * Maximum milliseconds that a write waits. If another process locks the database, waiting writes do not each wait their
 * full time in turn.
 */
const maxWaitMs = 5000;

/** SQLITE_ERROR, which a ROLLBACK returns when no transaction is active. */
const noTransaction = 1;

interface RoutedConnection extends DatabaseConnection {
  /** Releases the writer after the transaction. Undefined outside a transaction. */
  release: (() => void) | undefined;
}

/** Omits row locks such as FOR UPDATE, because a transaction on SQLite is the only writer from its beginning. */
class QueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!node.modifier?.startsWith('For')) super.visitSelectModifier(node);
  }
}

export function sqliteDialect(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new QueryCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}

/**
 * Creates a driver that runs reads immediately. A write waits for the writer connection, and a transaction holds that
 * connection until it ends.
 */
export function createRoutingDriver(
  reader: Pick<SqliteConnection, 'run'>,
  writer: SqliteThread,
  calls: CallTimes,
) {
  const mutex = createMutex(
    maxWaitingWrites,
    () => new DatabaseUnavailable('too many writes are waiting'),
    maxWaitMs,
  );

  function run(connection: RoutedConnection, query: CompiledQuery) {
    if (connection.release) return writer.runInside(query.sql, query.parameters);
    if (isRead(query)) return reader.run(query.sql, query.parameters);
    return mutex.with(() => writer.run(query.sql, query.parameters));
  }

  async function endTransaction(
    connection: RoutedConnection,
    statement: 'COMMIT' | 'ROLLBACK',
  ): Promise<void> {
    const { release } = connection;
    if (!release) return;
    try {
      await writer.run(statement, []);
    } catch (error) {
      // SQLite ended the transaction itself when a statement failed on a full or failing disk. The error of that
      // statement is the one to report.
      if (statement === 'ROLLBACK' && (error as { errcode?: number }).errcode === noTransaction) return;
      // A failed commit, e.g. on a full disk, leaves the transaction open, so it is rolled back.
      await writer.run('ROLLBACK', []).catch(() => {});
      throw translateSqliteError(error);
    } finally {
      connection.release = undefined;
      release();
    }
  }

  const driver: Driver = {
    ...idleDriver,
    acquireConnection: async () => connectTo(run, calls),
    async beginTransaction(connection) {
      const release = await mutex.acquire();
      try {
        await writer.run('BEGIN IMMEDIATE', []);
        (connection as RoutedConnection).release = release;
      } catch (error) {
        release();
        throw translateSqliteError(error);
      }
    },
    commitTransaction: (connection) =>
      calls.time('commit', () => endTransaction(connection as RoutedConnection, 'COMMIT')),
    rollbackTransaction: (connection) => endTransaction(connection as RoutedConnection, 'ROLLBACK'),
  };
  return { driver, writes: mutex };
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || /^\s*select\b/i.test(sql);
}

/**
 * Creates drivers for slow reads, each of which runs in a free thread. Reads wait in a queue that serves callers in
 * turn. The returned drivers share the threads and the queue, and their reads end after `limitMs`.
 */
export function createSlowDrivers(threads: SqliteThread[], calls: CallTimes) {
  const free = [...threads];
  const queue = createFairQueue(slowReadBounds(threads.length));
  const releases = new WeakMap<DatabaseConnection, () => void>();
  const openDriver = (limitMs: number | undefined): Driver => ({
    ...idleDriver,
    async acquireConnection() {
      const releaseSlot = await queue.acquire(currentCaller());
      // The thread used last has warm caches. Other threads are not started before they are needed.
      const thread = free.pop()!;
      const connection = connectTo((_, query) => thread.run(query.sql, query.parameters, limitMs), calls);
      releases.set(connection, () => {
        free.push(thread);
        releaseSlot();
      });
      return connection;
    },
    async releaseConnection(connection) {
      releases.get(connection)!();
    },
  });
  return { queue, openDriver };
}

type RunStatement = (
  connection: RoutedConnection,
  query: CompiledQuery,
) => StatementResult | Promise<StatementResult>;

function connectTo(run: RunStatement, calls: CallTimes): RoutedConnection {
  const connection: RoutedConnection = {
    release: undefined,
    async executeQuery<Row>(query: CompiledQuery) {
      return calls.time(nameCall(connection, query), async () => {
        try {
          const { rows, changes } = await run(connection, query);
          return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
        } catch (error) {
          throw translateSqliteError(error);
        }
      });
    },
    // biome-ignore lint/correctness/useYield: the interface asks for a generator; rows are never streamed here
    async *streamQuery() {
      throw new Error('SQLite rows are not streamed; page through them');
    },
  };
  return connection;
}

function nameCall({ release }: RoutedConnection, query: CompiledQuery): string {
  if (release) return 'transaction';
  return isRead(query) ? 'read' : 'write';
}

const idleDriver: Driver = {
  init: async () => {},
  acquireConnection: async () => {
    throw new Error('not opened');
  },
  beginTransaction: async () => {
    throw new Error('this connection only reads');
  },
  commitTransaction: async () => {},
  rollbackTransaction: async () => {},
  releaseConnection: async () => {},
  destroy: async () => {},
};
