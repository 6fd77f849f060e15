/**
 * Connection pool of `pg` for Kysely, which translates errors, serves callers in turn, and drops broken connections.
 */
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { currentCaller } from '../../concurrency/fair-order.ts';
import { createFairQueue, type FairQueue } from '../../concurrency/fair-queue.ts';
import type { CallTimes } from '../../process/call-times.ts';
import { DatabaseUnavailable, QueryTooSlow } from '../dialect.ts';
import { slowReadBounds } from '../slow-reads.ts';
import {
  isCanceledByTimeout,
  isConnectionLost,
  type TransactionPhase,
  translatePostgresError,
} from './errors.ts';
import type { PreparedStatementNames } from './names.ts';

/**
 * Planner cost of a random page read; a sequential read costs 1. PostgreSQL's default of 4 is meant for spinning disks.
 */
export const randomPageCost = 1.1;

/** Maximum duration of a timer. A value of 0 would mean the connection's own limit in `pg`. */
const endlessMs = 2 ** 31 - 1;

/** Maximum callers that wait for a connection. Further callers get an error at once, because the database is busy. */
const maxWaiting = 1000;

/**
 * Returns the pool for ordinary statements. One caller has at most half of the connections, so that hundreds of its
 * statements cannot delay other callers.
 */
export function createKyselyPool(
  pool: pg.Pool,
  names: PreparedStatementNames,
  calls: CallTimes,
): PostgresPool {
  const queue = queueForCallers(pool);
  return {
    async connect() {
      const caller = currentCaller();
      // The caller's name is empty until the session has been read, because that read identifies the caller.
      const releaseSlot = caller.name === '' ? () => {} : await queue.acquire(caller);
      return createOrdinaryClient(await connectToPool(pool, calls, releaseSlot), names);
    },
    end: () => pool.end(),
  };
}

function queueForCallers({ options }: pg.Pool): FairQueue {
  return createFairQueue({
    maxRunning: options.max,
    maxRunningPerCaller: Math.ceil(options.max / 2),
    maxWaiting,
    maxWaitingPerAddress: maxWaiting,
    maxWaitingPerCaller: maxWaiting,
    maxWaitMs: options.connectionTimeoutMillis!,
    refuse: () => new DatabaseUnavailable('too many statements are waiting'),
  });
}

/**
 * Returns pools for slow reads. Slow reads may use at most half of the connections, in fair turns. The rest is reserved
 * for fast statements.
 */
export function createSlowPools(pool: pg.Pool, calls: CallTimes) {
  const queue = createFairQueue(slowReadBounds(Math.ceil(pool.options.max / 2)));
  const openPool = (limitMs: number | undefined): PostgresPool => ({
    async connect() {
      const releaseSlot = await queue.acquire(currentCaller());
      const connection = await connectToPool(pool, calls, releaseSlot);
      return limitMs === undefined
        ? createOrdinaryClient(connection)
        : createLimitedClient(connection, limitMs);
    },
    // The shared pool is closed by its owner.
    end: async () => {},
  });
  return { queue, openPool };
}

function createOrdinaryClient(
  { calls, query, release }: Connection,
  names?: PreparedStatementNames,
): PostgresPoolClient {
  let isInTransaction = false;

  async function ask(text: string, values: unknown[]) {
    const phase = readPhase(text, isInTransaction);
    const name = phase === 'alone' ? 'write' : phase;
    const result = await calls.time(name, () => query({ text, values }, phase, names));
    if (text === 'begin') isInTransaction = true;
    return result;
  }
  return { query: ask as unknown as PostgresPoolClient['query'], release };
}

function readPhase(text: string, isInTransaction: boolean): TransactionPhase {
  // Kysely begins and commits a transaction with exactly these texts.
  if (text === 'commit') return 'commit';
  if (isInTransaction || text === 'begin') return 'transaction';
  return /^select\b/i.test(text) ? 'read' : 'alone';
}

/**
 * Runs each read in its own transaction, so that its settings end with it. A pooler may give the connection to other
 * clients afterwards. Throws QueryTooSlow.
 */
function createLimitedClient({ calls, query, release }: Connection, limitMs: number): PostgresPoolClient {
  const timeout = Number.isFinite(limitMs) ? undefined : endlessMs;
  const run = (text: string, values?: unknown[]) =>
    query({ text, ...(values && { values }), ...(timeout && { query_timeout: timeout }) }, 'read');

  async function ask(text: string, values: unknown[]) {
    try {
      await run(`BEGIN; ${limitSettings(limitMs)}`);
      const result = await run(text, values);
      await run('COMMIT');
      return result;
    } catch (error) {
      await run('ROLLBACK').catch(() => {});
      throw Number.isFinite(limitMs) && isCanceledByTimeout(error) ? new QueryTooSlow(error) : error;
    }
  }
  const askTimed = (text: string, values: unknown[]) => calls.time('read', () => ask(text, values));
  return { query: askTimed as unknown as PostgresPoolClient['query'], release };
}

/**
 * Returns the settings of one read. Pages of bounded reads are mostly in memory, so a covering index is better than the
 * table. A bounded read uses one CPU core. `work_mem` holds the few thousand pages that contain a keyword.
 */
function limitSettings(limitMs: number): string {
  if (!Number.isFinite(limitMs)) return 'SET LOCAL statement_timeout = 0';
  return `SET LOCAL statement_timeout = ${limitMs}; SET LOCAL random_page_cost = ${randomPageCost};
    SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL work_mem = '32MB'`;
}

interface Connection {
  calls: CallTimes;
  query(
    statement: Statement,
    moment: TransactionPhase,
    names?: PreparedStatementNames,
  ): Promise<pg.QueryResult>;
  release(): void;
}

/** Query with its own `query_timeout` in milliseconds, which replaces the connection's timeout. */
type Statement = pg.QueryConfig & { query_timeout?: number };

/**
 * Connects, and throws DatabaseUnavailable when no connection is free in time or none can be opened. Then `releaseSlot`
 * is called, too.
 */
async function connectToPool(pool: pg.Pool, calls: CallTimes, releaseSlot: () => void): Promise<Connection> {
  const client = await calls.time('connect', () =>
    acquireClient(pool).catch((error: unknown) => {
      releaseSlot();
      throw translatePostgresError(error, 'connect');
    }),
  );
  let lost: Error | undefined;
  let failure: unknown;
  let isFull = false;
  // A connection that ends between two statements emits this event. Without a listener the event would end the process.
  const onLoss = (cause: Error) => {
    lost ??= new Error('Connection terminated', { cause });
  };
  client.on('error', onLoss);

  return {
    calls,
    async query(statement, moment, names) {
      // The first failure is repeated for later statements. A rollback must neither wait for the network nor claim that
      // nothing was committed.
      if (failure) throw failure;
      try {
        if (lost) throw lost;
        const result = await (names ? askByName(client, names, statement, moment) : client.query(statement));
        isFull = names?.isFull(client) ?? false;
        return result;
      } catch (error) {
        const translated = translatePostgresError(error, moment);
        if (!isConnectionLost(error)) throw translated;
        lost ??= error as Error;
        failure ??= translated;
        throw failure;
      }
    },
    release() {
      client.off('error', onLoss);
      client.release(lost ?? isFull);
      releaseSlot();
    },
  };
}

async function acquireClient(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.waitingCount >= maxWaiting)
    throw new DatabaseUnavailable('too many requests are waiting for a connection');
  return pool.connect();
}

/**
 * Runs a statement by its prepared name, if it has one. A statement without parameters, such as `begin`, gains nothing
 * from a name.
 */
async function askByName(
  client: pg.PoolClient,
  names: PreparedStatementNames,
  statement: Statement,
  moment: TransactionPhase,
): Promise<pg.QueryResult> {
  const { text, values = [] } = statement;
  const name = values.length > 0 ? names.chooseName(client, text) : undefined;
  if (!name) return client.query(statement);
  try {
    return await client.query({ ...statement, name });
  } catch (error) {
    if (!names.hasFailed(text, error)) throw error;
    // The statement was not executed. Inside a transaction, the whole transaction must run again.
    if (moment === 'transaction') throw new DatabaseUnavailable(error, { mayRunAgain: true });
    return client.query(statement);
  }
}
