/** Opens PostgreSQL, or a database with the same protocol, through a connection pool. */
import { type Kysely, PostgresDialect, type PostgresPool, type SqlBool, sql } from 'kysely';
import pg from 'pg';
import { createCallTimes } from '../../process/call-times.ts';
import { describePostgres } from '../database-location.ts';
import { DatabaseUnavailable, type OpenedDatabase, type SlowReadOptions } from '../dialect.ts';
import { RetryingKysely } from '../retry.ts';
import type { Tables } from '../tables.ts';
import { createPreparedStatementNames } from './names.ts';
import { createKyselyPool, createSlowPools } from './pool.ts';
import { postgresSearch } from './search.ts';

export interface PostgresLimits {
  /** Maximum connections of this process. */
  pool: number;
  /** Milliseconds that a request waits for a free or new connection. */
  connectTimeoutMs: number;
  /** Maximum milliseconds of a statement. 0 keeps PostgreSQL's setting, for poolers that refuse to change settings. */
  statementTimeoutMs: number;
  /** Maximum milliseconds that a statement waits for a lock. 0 keeps PostgreSQL's setting. */
  lockTimeoutMs: number;
  /** Whether statements are prepared in PostgreSQL. Must be off for a pooler that does not keep prepared statements. */
  prepares: boolean;
}

/**
 * Extra milliseconds to wait for a response after PostgreSQL should have stopped the statement, in case the network
 * loses the response.
 */
const answerGraceMs = 5000;
/** Milliseconds a transaction may be idle. No transaction of this project waits for anything but the database. */
const idleInTransactionMs = 15_000;
/**
 * Maximum lifetime of a connection in seconds. After a failover or a change of the IP address of PostgreSQL, all
 * connections are replaced within this time.
 */
const lifetimeSeconds = 3600;
const keepAliveMs = 10_000;
/**
 * Milliseconds an idle connection stays open. A connection should survive a quiet minute, because a new one prepares
 * all statements again.
 */
const idleMs = 300_000;
const noNamesKept =
  'the connection pooler does not support prepared statements; continuing without them ' +
  '(DATABASE_PREPARE=0 avoids this)';
/** First numbers of advisory locks with two numbers. Such locks never collide with locks of one number. */
const libraryLocks = 1;
const lockIdByName = { totals: 2, objects: 3, 'objects, shared': 3 };
/** Number of the advisory lock for migrations, not used by any other lock of this database. */
const schemaLock = 7_461_002;

/** Parsers that return int8 values (ids, counts, bytes, times) as numbers. No value of this project comes near 2^53. */
const columnTypeParsers = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export function openPostgres(
  url: string,
  limits: PostgresLimits,
  onError: (error: Error) => void,
): OpenedDatabase {
  const pool = new pg.Pool(poolOptions(url, limits));
  const calls = createCallTimes();
  const names = createPreparedStatementNames(limits.prepares, () => onError(new Error(noNamesKept)));
  // Without this listener, an idle connection that PostgreSQL closes would end the process.
  pool.on('error', onError);
  // A connection may also break between its creation and its first use, so each connection gets a listener, too.
  pool.on('connect', (client) => client.on('error', () => {}));
  const kyselyOn = (pool: PostgresPool) =>
    new RetryingKysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const kysely = kyselyOn(createKyselyPool(pool, names, calls));
  // The best plan of a search depends on how often its keyword occurs, so slow reads are not prepared but planned each
  // time.
  const slow = createSlowPools(pool, calls);
  const slowDoors = new Map<number | undefined, Kysely<Tables>>();

  return {
    name: 'postgres',
    location: describePostgres(url),
    warnings: [],
    kysely,
    slow: ({ limitMs }: SlowReadOptions = {}) =>
      slowDoors.getOrInsertComputed(limitMs, () => kyselyOn(slow.openPool(limitMs))),
    readLoad: () => ({
      connections: pool.totalCount,
      busy: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
      slowRunning: slow.queue.running,
      slowWaiting: slow.queue.waiting,
    }),
    calls,
    // PostgreSQL stops a read by its `statement_timeout` instead.
    deadlineCheck: () => sql<SqlBool>`true`,
    search: postgresSearch,
    lock: async (transaction, lock) => {
      const [kind, key] =
        typeof lock === 'object' ? [libraryLocks, lock.library % 2 ** 31] : [lockIdByName[lock], 0];
      const take = sql.raw(`pg_advisory_xact_lock${lock === 'objects, shared' ? '_shared' : ''}`);
      await sql`SELECT ${take}(${kind}, ${key})`.execute(transaction);
    },
    month: (column) => sql<string>`to_char(to_timestamp(${sql.ref(column)}) AT TIME ZONE 'UTC', 'YYYY-MM')`,
    lockSchema: async (transaction) => {
      // The settings apply to this transaction only. Migrating a large gallery takes long.
      await sql`SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)`.execute(transaction);
      // The lock is tried without waiting, because CREATE INDEX CONCURRENTLY would wait for a waiting statement.
      const { rows } = await sql<{ isLocked: boolean }>`
        SELECT pg_try_advisory_xact_lock(${sql.lit(schemaLock)}) AS "isLocked"`.execute(transaction);
      if (!rows[0]!.isLocked)
        throw new DatabaseUnavailable('another process is migrating the schema', { mayRunAgain: true });
    },
    ping: async () => {
      await sql`SELECT 1`.execute(kysely);
    },
    // PostgreSQL enforces foreign keys itself, and its files can be checked with pg_amcheck and checksums.
    findDamage: async () => [],
    close: () => kysely.destroy(),
  };
}

export function poolOptions(url: string, limits: PostgresLimits): pg.PoolConfig {
  return {
    connectionString: withLibpqTlsMode(url),
    application_name: 'lightwell',
    max: limits.pool,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    idleTimeoutMillis: idleMs,
    maxLifetimeSeconds: lifetimeSeconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // A timeout of 0 is left out, because a pooler rejects connections with parameters that it does not know.
    ...(limits.statementTimeoutMs > 0 && {
      statement_timeout: limits.statementTimeoutMs,
      query_timeout: limits.statementTimeoutMs + answerGraceMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
    }),
    ...(limits.lockTimeoutMs > 0 && { lock_timeout: limits.lockTimeoutMs }),
    types: columnTypeParsers,
  };
}

/** Returns the URL with `sslmode` in the meaning of psql and of the instructions of managed databases. */
export function withLibpqTlsMode(url: string): string {
  const parsed = new URL(url);
  const mode = parsed.searchParams.get('sslmode');
  if (mode && mode !== 'no-verify' && !parsed.searchParams.has('uselibpqcompat')) {
    parsed.searchParams.set('uselibpqcompat', 'true');
  }
  return parsed.href;
}
