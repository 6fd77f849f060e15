/** Translates SQLite's error numbers into the database errors of this project. See https://sqlite.org/rescode.html. */
import {
  DatabaseFull,
  DatabaseUnavailable,
  DatabaseUnusable,
  QueryTooSlow,
  UniqueViolation,
} from '../dialect.ts';

const abortedCode = 4;
const primaryKeyCode = 1555;
const uniqueCode = 2067;
const busyCode = 5;
const failedDiskCode = 10;
const lockedCode = 6;
const diskFullCode = 13;
const cannotOpenCode = 14;
const interruptedCode = 9;
const foreignKeyCode = 787;

export function translateSqliteError(error: unknown): unknown {
  const { errcode, message } = error as { errcode?: number; message: string };
  if (!errcode) return error;
  if (errcode === uniqueCode || errcode === primaryKeyCode) {
    return new UniqueViolation(message.replace(/^.*failed: /, ''), error);
  }
  if (errcode === foreignKeyCode) return new DatabaseUnavailable(error, { lacksReferred: true });
  // The low byte is the primary code; the other bytes refine it.
  const primary = errcode & 0xff;
  if (primary === busyCode || primary === lockedCode)
    return new DatabaseUnavailable(error, { mayRunAgain: true });
  // An earlier statement of the same transaction failed, or its thread died.
  if (primary === abortedCode) return new DatabaseUnavailable(error);
  // SQLite cannot open a file that the statement needs, e.g. a temporary file when no descriptors are left.
  if (primary === cannotOpenCode) return new DatabaseUnavailable(error);
  // A commit that could not be flushed has failed, but its bytes are in the file and may take effect after a crash.
  if (primary === failedDiskCode) return new DatabaseUnavailable(error, { mayHaveCommitted: true });
  if (primary === interruptedCode) return new QueryTooSlow(error);
  if (primary === diskFullCode) return new DatabaseFull(error);
  return error;
}

/** Returns the error that tells the operator why the server does not start, if the disk is full or failing. */
export function toSqliteStartError(error: unknown, file: string): unknown {
  const translated = translateSqliteError(error);
  const isFailing = translated instanceof DatabaseUnavailable && translated.mayHaveCommitted;
  if (!(translated instanceof DatabaseFull || isFailing)) return error;
  const { message } = translated.cause as Error;
  return new DatabaseUnusable(
    `Cannot write the database ${file}: ${message}. Free space on its volume, or check the disk.`,
    { cause: error },
  );
}
