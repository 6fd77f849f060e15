/** Opens PostgreSQL (or what speaks its protocol) through a pool. */
import { type Kysely, PostgresDialect, type PostgresPool, type SqlBool, sql } from 'kysely';
import pg from 'pg';
import { DatabaseUnavailable, type OpenedDatabase, type SlowRead } from '../dialect.ts';
import { postgresPlace } from '../place.ts';
import { RetryingKysely } from '../retry.ts';
import type { Tables } from '../tables.ts';
import { createStatementNames } from './names.ts';
import { createSlowPools, poolForKysely } from './pool.ts';
import { postgresSearch } from './search.ts';

export interface PostgresLimits {
  /** Connections of this process. */
  pool: number;
  /** How long a request waits for a connection, free or new. */
  connectTimeoutMs: number;
  /** 0: the server's own, as a pooler between may require. */
  statementTimeoutMs: number;
  /** 0: the server's own. */
  lockTimeoutMs: number;
  /** Whether statements are prepared on the server; not where a pooler between keeps none. */
  prepares: boolean;
}

/** The server ends a statement first; this is for a network that swallows its answer. */
const answerGraceMs = 5000;
/** No transaction of ours waits for anything but the database. */
const idleInTransactionMs = 15_000;
/** After a failover or a change of address, connections move over within this time. */
const lifetimeSeconds = 3600;
const keepAliveMs = 10_000;
/** A new connection prepares its statements anew: it should outlive a quiet minute. */
const idleMs = 300_000;
const noNamesKept =
  'the pooler before PostgreSQL keeps no prepared statements; they are given up (DATABASE_PREPARE=0 says so at once)';
/** First numbers of advisory locks; those of two numbers never meet those of one. */
const libraryLocks = 1;
const locks = { totals: 2, objects: 3, 'objects, shared': 3 };
/** Any number that no other advisory lock of this database uses. */
const schemaLock = 7_461_002;

/** int8 (ids, counts, bytes, times) as numbers: none of ours comes near 2^53. */
const types = {
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
  const names = createStatementNames(limits.prepares, () => onError(new Error(noNamesKept)));
  // Without a listener, a connection that the server ends while idle would end the process.
  pool.on('error', onError);
  // Nor may one that ends in the moment between being made and being handed out.
  pool.on('connect', (client) => client.on('error', () => {}));
  const kyselyOn = (pool: PostgresPool) =>
    new RetryingKysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const kysely = kyselyOn(poolForKysely(pool, names));
  // The best plan of a search depends on how often its keyword occurs, so each search is planned anew.
  const slowPool = createSlowPools(pool);
  const slowDoors = new Map<number | undefined, Kysely<Tables>>();

  return {
    name: 'postgres',
    place: postgresPlace(url),
    kysely,
    slow: ({ limitMs }: SlowRead = {}) =>
      slowDoors.getOrInsertComputed(limitMs, () => kyselyOn(slowPool(limitMs))),
    // Its statement_timeout ends a read.
    deadlineCheck: () => sql<SqlBool>`true`,
    search: postgresSearch,
    lock: async (transaction, lock) => {
      const [kind, key] =
        typeof lock === 'object' ? [libraryLocks, lock.library % 2 ** 31] : [locks[lock], 0];
      const take = sql.raw(`pg_advisory_xact_lock${lock === 'objects, shared' ? '_shared' : ''}`);
      await sql`SELECT ${take}(${kind}, ${key})`.execute(transaction);
    },
    month: (column) => sql<string>`to_char(to_timestamp(${sql.ref(column)}) AT TIME ZONE 'UTC', 'YYYY-MM')`,
    lockSchema: async (transaction) => {
      // For this transaction only: migrating a large gallery takes long.
      await sql`SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)`.execute(transaction);
      // A statement that waits here would be one that an index built CONCURRENTLY waits for.
      const { rows } = await sql<{ isLocked: boolean }>`
        SELECT pg_try_advisory_xact_lock(${sql.lit(schemaLock)}) AS "isLocked"`.execute(transaction);
      if (!rows[0]!.isLocked)
        throw new DatabaseUnavailable('another process migrates', { mayRunAgain: true });
    },
    ping: async () => {
      await sql`SELECT 1`.execute(kysely);
    },
    // It keeps foreign keys itself; files are what pg_amcheck and checksums are for.
    findDamage: async () => [],
    close: () => kysely.destroy(),
  };
}

export function poolOptions(url: string, limits: PostgresLimits): pg.PoolConfig {
  return {
    connectionString: withTlsOfLibpq(url),
    application_name: 'lightwell',
    max: limits.pool,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    idleTimeoutMillis: idleMs,
    maxLifetimeSeconds: lifetimeSeconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // Left out where they are 0: a pooler refuses connections that ask for what it does not know.
    ...(limits.statementTimeoutMs > 0 && {
      statement_timeout: limits.statementTimeoutMs,
      query_timeout: limits.statementTimeoutMs + answerGraceMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
    }),
    ...(limits.lockTimeoutMs > 0 && { lock_timeout: limits.lockTimeoutMs }),
    types,
  };
}

/** `sslmode` means here what it means to psql and in the instructions of managed databases. */
export function withTlsOfLibpq(url: string): string {
  const parsed = new URL(url);
  const mode = parsed.searchParams.get('sslmode');
  if (mode && mode !== 'no-verify' && !parsed.searchParams.has('uselibpqcompat')) {
    parsed.searchParams.set('uselibpqcompat', 'true');
  }
  return parsed.href;
}
