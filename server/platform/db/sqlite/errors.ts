/** Translates SQLite's error numbers into the database errors of this project. See https://sqlite.org/rescode.html. */
import { DatabaseFull, DatabaseUnavailable, QueryTooSlow, UniqueViolation } from '../dialect.ts';

const aborted = 4;
const primaryKey = 1555;
const unique = 2067;
const busy = 5;
const failedDisk = 10;
const locked = 6;
const full = 13;
const cannotOpen = 14;
const interrupted = 9;
const foreignKey = 787;

export function translateSqliteError(error: unknown): unknown {
  const { errcode, message } = error as { errcode?: number; message: string };
  if (!errcode) return error;
  if (errcode === unique || errcode === primaryKey) {
    return new UniqueViolation(message.replace(/^.*failed: /, ''), error);
  }
  if (errcode === foreignKey) return new DatabaseUnavailable(error, { lacksReferred: true });
  // The low byte is the primary code; the other bytes refine it.
  const primary = errcode & 0xff;
  if (primary === busy || primary === locked) return new DatabaseUnavailable(error, { mayRunAgain: true });
  // An earlier statement of the same transaction failed, or its thread died.
  if (primary === aborted) return new DatabaseUnavailable(error);
  // SQLite cannot open a file that the statement needs, e.g. a temporary file when no descriptors are left.
  if (primary === cannotOpen) return new DatabaseUnavailable(error);
  // A commit that could not be flushed has failed, but its bytes are in the file and may take effect after a crash.
  if (primary === failedDisk) return new DatabaseUnavailable(error, { mayHaveCommitted: true });
  if (primary === interrupted) return new QueryTooSlow(error);
  if (primary === full) return new DatabaseFull(error);
  return error;
}
