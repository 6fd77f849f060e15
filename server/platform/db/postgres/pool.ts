/** The pool as we and Kysely use it: with our errors, and without connections that are of no use any longer. */
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { currentCaller } from '../../concurrency/fair-order.ts';
import { createFairQueue } from '../../concurrency/fair-queue.ts';
import { DatabaseUnavailable, QueryTooSlow } from '../dialect.ts';
import { slowReadBounds } from '../slow-reads.ts';
import { isCanceled, isLost, type Moment, translatePostgresError } from './errors.ts';
import type { StatementNames } from './names.ts';

/** Cost of a page at any place, where one after the other costs 1. PostgreSQL's own is 4: disks that turn. */
export const randomPageCost = 1.1;

/** A pool of connections that send without waiting for answers, and the names that statements have on its connections. */
export interface NamingPool {
  pool: pg.Pool;
  names: StatementNames;
}

/** Said within a transaction: its statements may take any time, and this side waits for their answers as long, too. */
export const endless = `SELECT set_config('statement_timeout', '0', true)`;
/** The longest that a timer takes: for pg, 0 is the connection's own limit. */
const endlessMs = 2 ** 31 - 1;

/** When so many wait already, further callers get an error at once: the database is busy. */
const maxWaiting = 1000;

export function poolForKysely(pool: NamingPool): PostgresPool {
  return {
    connect: async () => forKysely(await connect(pool)),
    end: () => pool.pool.end(),
  };
}

/**
 * Half of the connections at most, shared out fairly: the rest is left to what takes milliseconds. Makes pools that
 * share this half; with `limitMs`, what they are asked ends after that time.
 */
export function poolsForSlowReads(naming: NamingPool): (limitMs?: number) => PostgresPool {
  const queue = createFairQueue(slowReadBounds(Math.ceil(naming.pool.options.max / 2)));
  return (limitMs) => ({
    async connect() {
      const leave = await queue.enter(currentCaller());
      const client = await connect(naming).catch((error: unknown) => {
        leave();
        throw error;
      });
      return forKysely({
        query: limitMs === undefined ? client.query : bounded(client, limitMs),
        release() {
          client.release();
          leave();
        },
      });
    },
    // The pool is ended by those that share it.
    end: async () => {},
  });
}

/**
 * Each query in a transaction of its own, whose limit ends with it: a pooler between may give the connection to others
 * afterwards. All is sent at once. Throws QueryTooSlow.
 */
function bounded({ query }: Connection, limitMs: number): Connection['query'] {
  return async (text, parameters) => {
    const answers = await Promise.allSettled([
      query('begin', [], 'transaction'),
      query(settingsOf(limitMs), [], 'transaction'),
      query(text, parameters, 'transaction'),
      query('commit', [], 'commit'),
    ]);
    const [, , answer] = answers;
    const failure = answers.find((one) => one.status === 'rejected')?.reason;
    if (failure === undefined && answer.status === 'fulfilled') return answer.value;
    throw isCanceled(failure) ? new QueryTooSlow(failure) : failure;
  };
}

/**
 * What these reads go through is in memory, or soon is: an index that holds all they ask is better than the table. One
 * takes one core at most, and the few thousand pages that words are in fit into its memory.
 */
function settingsOf(limitMs: number): string {
  const settings = {
    statement_timeout: limitMs,
    random_page_cost: randomPageCost,
    max_parallel_workers_per_gather: 0,
    work_mem: '32MB',
  };
  const parts = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `SELECT ${parts.join(', ')}`;
}

function forKysely({ query, release }: Connection): PostgresPoolClient {
  let isInTransaction = false;
  let isEndless = false;

  async function ask(text: string, parameters: readonly unknown[]) {
    const result = await query(text, parameters, momentOf(text, isInTransaction), isEndless);
    if (text === 'begin') isInTransaction = true;
    if (text === endless) isEndless = true;
    return result;
  }
  return { query: ask as unknown as PostgresPoolClient['query'], release };
}

function momentOf(text: string, isInTransaction: boolean): Moment {
  // Kysely's own words for the two.
  if (text === 'commit') return 'commit';
  return isInTransaction || text === 'begin' ? 'transaction' : 'alone';
}

export interface Connection {
  query(
    text: string,
    parameters: readonly unknown[],
    moment: Moment,
    isEndless?: boolean,
  ): Promise<pg.QueryResult>;
  release(): void;
}

/** Throws DatabaseUnavailable when no connection is free in time, or none can be made. */
export async function connect({ pool, names }: NamingPool): Promise<Connection> {
  if (pool.waitingCount >= maxWaiting) throw new DatabaseUnavailable('too many wait for a connection');
  const client = await pool.connect().catch((error: unknown) => {
    throw translatePostgresError(error, 'connect');
  });
  let lost: Error | undefined;
  let failure: unknown;
  // A connection that ends between two statements emits this event; without a listener it would end the process.
  const onLoss = (cause: Error) => {
    lost ??= new Error('Connection terminated', { cause });
  };
  client.on('error', onLoss);

  return {
    async query(text, parameters, moment, isEndless = false) {
      // The first failure stands: a rollback neither waits for the network nor says that nothing was committed; and
      // reads that were sent behind a silent one are not sent again.
      if (failure) throw failure;
      try {
        if (lost) throw lost;
        return await ask(client, names, { text, parameters, moment, isEndless });
      } catch (error) {
        const translated = translatePostgresError(error, moment);
        if (!isLost(error)) throw translated;
        lost ??= error as Error;
        failure ??= translated;
        throw failure;
      }
    },
    release() {
      client.off('error', onLoss);
      client.release(lost ?? names.isFull(client));
    },
  };
}

interface Statement {
  text: string;
  parameters: readonly unknown[];
  moment: Moment;
  isEndless: boolean;
}

/** By its name where it has one. What has no parameters (`begin`) gains nothing by one. */
async function ask(
  client: pg.PoolClient,
  names: StatementNames,
  { text, parameters, moment, isEndless }: Statement,
): Promise<pg.QueryResult> {
  const values = parameters as unknown[];
  if (isEndless) {
    const unhurried: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: endlessMs };
    return client.query(unhurried);
  }
  const name = parameters.length > 0 ? names.nameOf(client, text) : undefined;
  if (!name) return client.query(text, values);
  try {
    const result = await client.query({ name, text, values });
    names.learn(client, name, true);
    return result;
  } catch (error) {
    names.learn(client, name, false);
    if (!names.hasFailed(text, error)) throw error;
    // It was not executed. Inside a transaction all of it has to run again.
    if (moment !== 'alone') throw new DatabaseUnavailable(error, { mayRunAgain: true });
    return await client.query(text, values);
  }
}
