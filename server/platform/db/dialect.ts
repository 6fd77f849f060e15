/** What SQLite and PostgreSQL do differently. Each folder implements this; other code does not ask which it is. */
import type { Kysely, RawBuilder, SqlBool, Transaction } from 'kysely';
import { StorageUnavailable } from '../errors/storage.ts';
import type { SearchIndex } from './search.ts';
import type { Tables } from './tables.ts';

export interface SlowRead {
  /**
   * Milliseconds after which a read ends with QueryTooSlow; Infinity for commands whose reads take minutes. Without it,
   * PostgreSQL's own limit of statements holds.
   */
  limitMs?: number;
}

/**
 * - A user's library: which albums their photos are in, how these are nested, and what is visible of both. Taken before
 *   photos are locked.
 * - Totals that many transactions change. Taken after photos are locked.
 * - Objects: those who write rows for objects that are stored already share it; who marks objects without a row takes it
 *   alone.
 */
export type Lock = { library: number } | 'totals' | 'objects, shared' | 'objects';

export interface OpenedDatabase {
  name: 'sqlite' | 'postgres';
  /** Where it is, for messages: without a password. */
  place: string;
  /** Everything ordinary. A transaction waits for no client, no imaging and no storage. */
  kysely: Kysely<Tables>;
  /** Reads that may take milliseconds. On SQLite they run beside the event loop; on both, callers take turns. */
  slow(options?: SlowRead): Kysely<Tables>;
  /**
   * A condition that is true, for the rows that a bounded read goes through, by the column of their id. SQLite has
   * nothing else that could end a read from outside; it is asked of every hundredth row or so.
   */
  deadlineCheck(id: string): RawBuilder<SqlBool>;
  search: SearchIndex;
  /** Makes transactions that take the same lock wait until this one ends. SQLite has one writer anyway. */
  lock(transaction: Transaction<Tables>, lock: Lock): Promise<void>;
  /** Seconds, in a column, as the month they are in: `2026-11`. */
  month(column: string): RawBuilder<string>;
  /** Lets one process at a time bring the schema up to date; others fail with DatabaseUnavailable, and try again. */
  lockSchema(transaction: Transaction<Tables>): Promise<void>;
  /** Throws when the database cannot be read. */
  ping(): Promise<void>;
  /** What the database finds wrong with its own files, one line each; nothing where it does not tell. */
  findDamage(isFast: boolean): Promise<string[]>;
  close(): Promise<void>;
}

/** The database is busy or out of reach: the client may try again. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** The connection was lost, perhaps at the very commit. */
  readonly mayHaveCommitted: boolean;
  /** Nothing was committed, and the same work may well succeed a moment later. */
  readonly mayRunAgain: boolean;
  /** A row that it refers to was deleted meanwhile: often the account of the caller. */
  readonly lacksReferred: boolean;

  constructor(cause: unknown, { mayHaveCommitted = false, mayRunAgain = false, lacksReferred = false } = {}) {
    super('the database is busy or out of reach', { cause });
    this.mayHaveCommitted = mayHaveCommitted;
    this.mayRunAgain = mayRunAgain;
    this.lacksReferred = lacksReferred;
  }
}

/** For reads that clients compose. */
export const bounded: SlowRead & { limitMs: number } = { limitMs: 1000 };
/** For commands whose reads take minutes. */
export const unlimited: SlowRead = { limitMs: Number.POSITIVE_INFINITY };

/** A bounded read took too long, and was ended. */
export class QueryTooSlow extends Error {
  override readonly name = 'QueryTooSlow';

  constructor(cause: unknown) {
    super('a query took longer than its limit', { cause });
  }
}

/** How a failure in the background is logged: what is busy or out of reach passes by itself. */
export function levelOf(error: unknown): 'warn' | 'error' {
  const mayPass = error instanceof StorageUnavailable || error instanceof DatabaseUnavailable;
  return mayPass ? 'warn' : 'error';
}

/** A unique index refused a row. `detail` names its columns, or the index. */
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

/** The database cannot be used, and nothing may start on it: the message tells a person what to do. */
export class DatabaseUnusable extends Error {
  /** It is out of reach, perhaps only because it is still starting. */
  readonly mayPass: boolean;

  constructor(message: string, { cause, mayPass = false }: { cause?: unknown; mayPass?: boolean } = {}) {
    super(message, { cause });
    this.name = 'DatabaseUnusable';
    this.mayPass = mayPass;
  }
}
