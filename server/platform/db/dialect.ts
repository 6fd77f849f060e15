/**
 * Interface for everything that differs between SQLite and PostgreSQL. Each database's folder implements this
 * interface, and other code does not ask which database it uses.
 */
import type { Kysely, RawBuilder, SqlBool, Transaction } from 'kysely';
import { StorageUnavailable } from '../errors/storage.ts';
import type { CallTimes } from '../process/call-times.ts';
import type { SearchIndex } from './search.ts';
import type { Tables } from './tables.ts';

export interface SlowReadOptions {
  /**
   * Milliseconds after which a read fails with QueryTooSlow. Infinity is for commands whose reads take minutes. The
   * default on PostgreSQL is its statement timeout.
   */
  limitMs?: number;
}

/**
 * Locks that a transaction can take:
 *
 * - A user's library: the placement of photos in albums, the nesting of albums, and the visibility of both. Taken
 *   before photos are locked.
 * - Totals that many transactions change. Taken after photos are locked.
 * - Objects: shared by transactions that write rows for stored objects; exclusive for marking objects without a row.
 */
export type TransactionLock = { library: number } | 'totals' | 'objects, shared' | 'objects';

/** Numbers of connections (threads on SQLite), and of statements that wait for one. */
export interface DatabaseLoad {
  connections: number;
  busy: number;
  waiting: number;
  slowRunning: number;
  slowWaiting: number;
}

export interface OpenedDatabase {
  name: 'sqlite' | 'postgres';
  /** Location of the database for messages, without a password. */
  location: string;
  /** Weaknesses of the database's place, as sentences for the operator. */
  warnings: string[];
  /** Connection for ordinary queries. A transaction must not wait for clients, imaging or storage. */
  kysely: Kysely<Tables>;
  /**
   * Connection for reads that may take milliseconds. On SQLite such reads run outside the main thread; on both
   * databases callers take turns.
   */
  slow(options?: SlowReadOptions): Kysely<Tables>;
  /**
   * Returns a condition that is always true but stops a bounded read after its limit. SQLite offers no other way to
   * stop a read. `id` is the column of the row's id; about every hundredth row checks the time.
   */
  deadlineCheck(id: string): RawBuilder<SqlBool>;
  search: SearchIndex;
  /**
   * Takes a lock until the transaction ends, so that other transactions with the same lock wait. SQLite has only one
   * writer anyway.
   */
  lock(transaction: Transaction<Tables>, lock: TransactionLock): Promise<void>;
  /** Returns an expression for the month of a column in Unix seconds, e.g. `2026-11`. */
  month(column: string): RawBuilder<string>;
  /** Lets only one process at a time migrate the schema. Other processes fail with DatabaseUnavailable and retry. */
  lockSchema(transaction: Transaction<Tables>): Promise<void>;
  /** Returns what the database's connections do now, for metrics. */
  readLoad(): DatabaseLoad;
  /** Times of statements: `read`, `write` (alone), `transaction` (a statement inside one), `commit` and `connect`. */
  calls: CallTimes;
  /** Throws when the database cannot be read. */
  ping(): Promise<void>;
  /**
   * Returns damage that the database finds in its own files, one line each. Empty if the database has no such check.
   */
  findDamage(isFast: boolean): Promise<string[]>;
  close(): Promise<void>;
}

/** The database is busy or unreachable, and the client may retry. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** Whether the connection was lost during a commit, so that the commit may have succeeded. */
  readonly mayHaveCommitted: boolean;
  /** Whether nothing was committed, and the same work is likely to succeed on a retry. */
  readonly mayRunAgain: boolean;
  /** Whether a referenced row was deleted meanwhile, often the account of the caller. */
  readonly lacksReferred: boolean;

  constructor(cause: unknown, { mayHaveCommitted = false, mayRunAgain = false, lacksReferred = false } = {}) {
    super('the database is busy or unreachable', { cause });
    this.mayHaveCommitted = mayHaveCommitted;
    this.mayRunAgain = mayRunAgain;
    this.lacksReferred = lacksReferred;
  }
}

/** Time limit for reads with conditions that clients compose, such as searches. */
export const boundedReadOptions: SlowReadOptions & { limitMs: number } = { limitMs: 1000 };
/** No time limit, for commands whose reads take minutes. */
export const unlimitedReadOptions: SlowReadOptions = { limitMs: Number.POSITIVE_INFINITY };

/** A bounded read exceeded its time limit and was stopped. */
export class QueryTooSlow extends Error {
  override readonly name = 'QueryTooSlow';

  constructor(cause: unknown) {
    super('a query took longer than its limit', { cause });
  }
}

/**
 * Returns the log level for a failure in a background job. Busy or unreachable services recover by themselves, so their
 * errors are warnings.
 */
export function logLevelFor(error: unknown): 'warn' | 'error' {
  const mayPass = error instanceof StorageUnavailable || error instanceof DatabaseUnavailable;
  return mayPass ? 'warn' : 'error';
}

/** A unique index rejected a row. `detail` names the index or its columns. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  readonly detail: string;

  constructor(detail: string, cause: unknown) {
    super(`unique: ${detail}`, { cause });
    this.detail = detail;
  }
}

export class DatabaseFull extends Error {
  constructor(cause: unknown) {
    super('the volume of the database is full', { cause });
    this.name = 'DatabaseFull';
  }
}

/** The database cannot be used, and nothing may start with it. The message tells the operator what to do. */
export class DatabaseUnusable extends Error {
  /** Whether the failure may be temporary, because the database may still be starting. */
  readonly mayPass: boolean;

  constructor(message: string, { cause, mayPass = false }: { cause?: unknown; mayPass?: boolean } = {}) {
    super(message, { cause });
    this.name = 'DatabaseUnusable';
    this.mayPass = mayPass;
  }
}
