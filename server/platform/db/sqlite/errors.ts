/** SQLite's error numbers in our words. https://sqlite.org/rescode.html */
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
  // The low byte is the primary code; the others refine it.
  const primary = errcode & 0xff;
  if (primary === busy || primary === locked) return new DatabaseUnavailable(error, { mayRunAgain: true });
  // What came before it in its transaction failed, or its thread.
  if (primary === aborted) return new DatabaseUnavailable(error);
  // A file that the statement needs: a temporary one, where no descriptors are left.
  if (primary === cannotOpen) return new DatabaseUnavailable(error);
  // A commit that could not be flushed is not made; but it lies in the file, and after a crash it may be there.
  if (primary === failedDisk) return new DatabaseUnavailable(error, { mayHaveCommitted: true });
  if (primary === interrupted) return new QueryTooSlow(error);
  if (primary === full) return new DatabaseFull(error);
  return error;
}
