/** PostgreSQL's SQLSTATEs and the network's errors in our words. */
import { DatabaseFull, DatabaseUnavailable, UniqueViolation } from '../dialect.ts';

/** The step that failed. Only a `commit`, or a statement that may write `alone`, can have committed something. */
export type Moment = 'connect' | 'read' | 'transaction' | 'commit' | 'alone';

const uniqueViolation = '23505';
const diskFull = '53100';

/** The server gave up one of two that were in each other's way, and says so: nothing of it was committed. */
const collision = /^(40001|40P01)$/;

const foreignKey = '23503';

const canceled = '57014';

/** Too many connections, out of memory, lock and statement timeouts, a failing disk. */
const passing = /^(53...|57014|55P03|58030)$/;

/** Connection lost, server restarted or starting, an idle transaction ended, a standby that takes no writes. */
const lost = /^(08...|57P0.|25P03|25006|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
/** What may end a commit that is in the log already: no room for what follows it, or a disk that fails. */
const brokenOff = /^(53100|58030)$/;
const silence = /Query read timeout/;
const lostMessage = /Connection terminated|not queryable|Query read timeout|timeout exceeded|Client has/;

export function translatePostgresError(error: unknown, moment: Moment): unknown {
  const { code = '', severity, detail, table, message } = error as ServerError;
  if (code === uniqueViolation) {
    return new UniqueViolation(`${table}.${/^Key \((.+?)\)=/.exec(detail ?? '')?.[1] ?? ''}`, error);
  }
  if (brokenOff.test(code) && (moment === 'commit' || (moment === 'alone' && severity === 'PANIC'))) {
    return new DatabaseUnavailable(error, { mayHaveCommitted: true });
  }
  if (code === diskFull) return new DatabaseFull(error);
  if (collision.test(code)) return new DatabaseUnavailable(error, { mayRunAgain: true });
  if (code === foreignKey) return new DatabaseUnavailable(error, { lacksReferred: true });
  if (moment === 'connect' || passing.test(code)) return new DatabaseUnavailable(error);
  if (!lost.test(code) && !lostMessage.test(message)) return error;
  // Another connection would be as silent, for as long.
  if (moment === 'transaction' || moment === 'read')
    return new DatabaseUnavailable(error, { mayRunAgain: !silence.test(message) });
  return new DatabaseUnavailable(error, { mayHaveCommitted: true });
}

/** Whether a translated error says that `statement_timeout` ended the statement. */
export function isCanceled(error: unknown): boolean {
  const cause = (error as Error).cause as Partial<ServerError> | undefined;
  return cause?.code === canceled;
}

/** Whether the connection cannot be used again after this error. */
export function isLost(error: unknown): boolean {
  const { code = '', message } = error as ServerError;
  return lost.test(code) || lostMessage.test(message);
}

interface ServerError {
  code?: string;
  /** In the language of the server, but for the worst. */
  severity?: string;
  detail?: string;
  table?: string;
  message: string;
}
