/** PostgreSQL's SQLSTATEs and the network's errors in our words. */
import { DatabaseFull, DatabaseUnavailable, UniqueViolation } from './dialect.ts';

const uniqueViolation = '23505';
const diskFull = '53100';

/** Connection refused, too many connections, lock and statement timeouts, deadlock: nothing was committed. */
const passing = /^(53300|57P03|57014|55P03|40001|40P01|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
const passingMessage = /timeout exceeded when trying to connect/;

/** Connection lost, restart: if it was a commit that was under way, nobody knows. */
const lost = /^(08...|57P0[1245]|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT)$/;
const lostMessage = /Connection terminated|not queryable/;

export function translatePostgresError(error: unknown): unknown {
  const { code, detail, table, message } = error as {
    code?: string;
    detail?: string;
    table?: string;
    message: string;
  };
  if (code === uniqueViolation) {
    return new UniqueViolation(`${table}.${/^Key \((.+?)\)=/.exec(detail ?? '')?.[1] ?? ''}`, error);
  }
  if (code === diskFull) return new DatabaseFull(error);
  if (passing.test(code ?? '') || passingMessage.test(message)) return new DatabaseUnavailable(error);
  if (lost.test(code ?? '') || lostMessage.test(message)) return new DatabaseUnavailable(error, true);
  return error;
}
