/** Opens the database that the URL selects, and migrates it. */
import type { EventEmitter } from 'node:events';
import type { BulkDatabase } from './bulk.ts';
import { type BufferedCounters, createBufferedCounters } from './counters.ts';
import { sqliteFile } from './database-location.ts';
import type { OpenedDatabase } from './dialect.ts';
import { migrateSchema } from './migrate.ts';
import type { PostgresLimits } from './postgres/postgres.ts';
import type { SignalingKysely } from './signals.ts';
import { updatePlannerStatistics } from './statistics.ts';
import type { Tables, Transaction } from './tables.ts';

export interface Database extends OpenedDatabase {
  counters: BufferedCounters;
  /** Events between parts of this process, e.g. when new rows wait for a background job. */
  events: EventEmitter;
  /** Emits the event after the transaction has ended, so that a background job finds the rows. */
  signal(transaction: Transaction, event: string): void;
}

export interface DatabaseOptions {
  dataDir: string;
  /** Database URL, `postgres://…`. Undefined selects SQLite in `dataDir`. */
  url: string | undefined;
  limits?: PostgresLimits;
  /** Called for database errors that belong to no request. */
  onError(error: Error): void;
  /** Name of the last migration to run. Undefined runs all migrations. */
  upTo?: string | undefined;
  /** Called before tables are created or migrated. If the function throws, the database is not opened. */
  beforeMigrating?: ((database: OpenedDatabase) => Promise<void>) | undefined;
}

const defaultLimits: PostgresLimits = {
  pool: 10,
  connectTimeoutMs: 5000,
  statementTimeoutMs: 15_000,
  lockTimeoutMs: 5000,
  prepares: true,
};

/** Opens and migrates the database. Loads only the driver that is needed. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const opened = await openAndMigrate(options);
  // Both drivers create a SignalingKysely, so the cast is safe.
  const signalling = opened.kysely as SignalingKysely<Tables>;
  const counters = createBufferedCounters(opened, options.onError);
  return {
    ...opened,
    counters,
    events: signalling.events,
    signal: (transaction, event) => signalling.signal(transaction, event),
    async close() {
      await counters.flush();
      await updatePlannerStatistics(opened).catch(options.onError);
      await opened.close();
    },
  };
}

async function openAndMigrate(options: DatabaseOptions): Promise<OpenedDatabase> {
  const { dataDir, url } = options;
  if (url) return openAndMigratePostgres(url, options);
  const { openSqlite } = await import('./sqlite/sqlite.ts');
  const { toSqliteStartError } = await import('./sqlite/errors.ts');
  try {
    return await migrateOrClose(openSqlite(dataDir), options);
  } catch (error) {
    throw toSqliteStartError(error, sqliteFile(dataDir));
  }
}

async function openAndMigratePostgres(url: string, options: DatabaseOptions): Promise<OpenedDatabase> {
  const { limits = defaultLimits, onError } = options;
  const { openPostgres } = await import('./postgres/postgres.ts');
  const { checkPostgres, toDatabaseUnusable } = await import('./postgres/start.ts');
  await checkPostgres(url, limits);
  // A migration may take longer than any request, so these connections have no time limits. The second connection
  // builds indexes while the first holds the lock.
  const unhurried = { ...limits, pool: 2, statementTimeoutMs: 0, lockTimeoutMs: 0, prepares: false };
  const migrating = await migrateOrClose(openPostgres(url, unhurried, onError), options).catch(
    (error: unknown) => {
      throw isForbidden(error) ? toDatabaseUnusable(error, url) : error;
    },
  );
  await migrating.close();
  return openPostgres(url, limits, onError);
}

/**
 * Whether the error means that the database user may not create tables. Since PostgreSQL 15, only the owner of a
 * database may create tables there.
 */
function isForbidden(error: unknown): boolean {
  return (error as { code?: string }).code === '42501';
}

async function migrateOrClose(
  database: OpenedDatabase,
  { upTo, beforeMigrating, onError }: Pick<DatabaseOptions, 'upTo' | 'beforeMigrating' | 'onError'>,
): Promise<OpenedDatabase> {
  try {
    await beforeMigrating?.(database);
    const hasMigrated = await migrateSchema(database, upTo);
    await updatePlannerStatistics(database, { isBulk: hasMigrated }).catch(onError);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Returns the bulk operations of a database without opening it. `url` is `postgres://…`, or undefined for SQLite in
 * `dataDir`.
 */
export async function bulkDatabase(home: {
  dataDir: string;
  url: string | undefined;
}): Promise<BulkDatabase> {
  return home.url
    ? (await import('./postgres/bulk.ts')).postgresBulk(home.url)
    : (await import('./sqlite/bulk.ts')).sqliteBulk(home.dataDir);
}
