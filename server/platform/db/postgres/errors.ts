/** Translates PostgreSQL's SQLSTATE codes and network errors into the database errors of this project. */
import { DatabaseFull, DatabaseUnavailable, UniqueViolation } from '../dialect.ts';

/** Step in which an error occurred. Only `commit`, or a statement `alone` that writes, can have committed changes. */
export type TransactionPhase = 'connect' | 'read' | 'transaction' | 'commit' | 'alone';

const uniqueViolation = '23505';
const diskFull = '53100';

/** Codes for a deadlock or a serialization failure. PostgreSQL has rolled the transaction back. */
const collisionCodePattern = /^(40001|40P01)$/;

const foreignKey = '23503';

const canceledCode = '57014';

/** Codes of temporary errors: too many connections, out of memory, lock and statement timeouts, a failing disk. */
const transientCodes = /^(53...|57014|55P03|58030)$/;

/** Codes of a lost connection: PostgreSQL restarts, an idle transaction timed out, or a standby rejects writes. */
const lostConnectionCodes =
  /^(08...|57P0.|25P03|25006|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
/** Codes of errors that may follow a commit record already in the log: a full or failing disk. */
const uncertainCommitCodes = /^(53100|58030)$/;
const readTimeoutPattern = /Query read timeout/;
const lostMessage = /Connection terminated|not queryable|Query read timeout|timeout exceeded|Client has/;

export function translatePostgresError(error: unknown, moment: TransactionPhase): unknown {
  const { code = '', severity, detail, table, message } = error as ServerError;
  if (code === uniqueViolation) {
    return new UniqueViolation(`${table}.${/^Key \((.+?)\)=/.exec(detail ?? '')?.[1] ?? ''}`, error);
  }
  if (
    uncertainCommitCodes.test(code) &&
    (moment === 'commit' || (moment === 'alone' && severity === 'PANIC'))
  ) {
    return new DatabaseUnavailable(error, { mayHaveCommitted: true });
  }
  if (code === diskFull) return new DatabaseFull(error);
  if (collisionCodePattern.test(code)) return new DatabaseUnavailable(error, { mayRunAgain: true });
  if (code === foreignKey) return new DatabaseUnavailable(error, { lacksReferred: true });
  if (moment === 'connect' || transientCodes.test(code)) return new DatabaseUnavailable(error);
  if (!lostConnectionCodes.test(code) && !lostMessage.test(message)) return error;
  // After a timeout, a retry over another connection would probably time out too, so none is made.
  if (moment === 'transaction' || moment === 'read')
    return new DatabaseUnavailable(error, { mayRunAgain: !readTimeoutPattern.test(message) });
  return new DatabaseUnavailable(error, { mayHaveCommitted: true });
}

/** Whether a translated error means that `statement_timeout` stopped the statement. */
export function isCanceledByTimeout(error: unknown): boolean {
  const cause = (error as Error).cause as Partial<ServerError> | undefined;
  return cause?.code === canceledCode;
}

/** Whether the connection cannot be used again after this error. */
export function isConnectionLost(error: unknown): boolean {
  const { code = '', message } = error as ServerError;
  return lostConnectionCodes.test(code) || lostMessage.test(message);
}

interface ServerError {
  code?: string;
  /** Severity of the error, which PostgreSQL translates into its own language, except PANIC. */
  severity?: string;
  detail?: string;
  table?: string;
  message: string;
}
