/** PostgreSQL's SQLSTATEs and the network's errors in our words. */
import { DatabaseFull, DatabaseUnavailable, UniqueViolation } from './dialect.ts';

const uniqueViolation = '23505';
const diskFull = '53100';

/** Connection lost or refused, too many connections, restart, lock and statement timeouts, deadlock. */
const passing =
  /^(08...|53300|57P0[1-5]|57014|55P03|40001|40P01|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
const passingMessage = /timeout exceeded when trying to connect|Connection terminated|not queryable/;

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
  return error;
}
