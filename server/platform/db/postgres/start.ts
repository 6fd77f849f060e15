/** Checks PostgreSQL with a first connection, and reports a wrong database URL or setting in one line. */
import pg from 'pg';
import { DatabaseUnusable } from '../dialect.ts';
import { randomPageCost } from './pool.ts';
import { type PostgresLimits, poolOptions, withLibpqTlsMode } from './postgres.ts';

/**
 * Checks the database. Throws DatabaseUnusable. The connection requests the same parameters as later connections, so
 * that a pooler rejects this one already.
 */
export async function checkPostgres(url: string, limits: PostgresLimits): Promise<void> {
  const client = new pg.Client(poolOptions(url, limits));
  // A lost connection also fails the running query.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ encoding: string; is_read_only: boolean }>(
      `SELECT current_setting('server_encoding') AS encoding,
        current_setting('transaction_read_only')::bool AS is_read_only`,
    );
    const { encoding, is_read_only: isReadOnly } = rows[0]!;
    checkEncoding(encoding, url);
    if (isReadOnly) throw readOnlyError(url);
    await preferIndexes(client);
  } catch (error) {
    throw toDatabaseUnusable(error, url);
  } finally {
    // The connection may never have been established, so an error while closing it is ignored.
    client.end().catch(() => {});
  }
}

/**
 * Sets `random_page_cost` for this role in this database, unless an operator has set it. The data is in memory or on an
 * SSD. With the default, PostgreSQL reads all of a small table for a page of twenty rows, which takes ten times as
 * long. The setting is stored, because poolers reject settings at the start of a connection.
 */
async function preferIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ source: string; database: string }>(
    "SELECT source, current_database() AS database FROM pg_settings WHERE name = 'random_page_cost'",
  );
  if (rows[0]?.source !== 'default') return;
  const database = client.escapeIdentifier(rows[0].database);
  // Another starting server may be faster, and a role may lack the right to change itself. Everything works without the
  // setting, too.
  await client
    .query(`ALTER ROLE CURRENT_USER IN DATABASE ${database} SET random_page_cost = ${randomPageCost}`)
    .catch(() => {});
}

function checkEncoding(encoding: string, url: string): void {
  if (encoding === 'UTF8') return;
  const { database } = parseAddress(url);
  throw new DatabaseUnusable(
    `The database "${database}" has the encoding ${encoding}, which cannot store all languages. ` +
      "Create one with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
  );
}

/** During a failover, the standby accepts writes after some seconds. */
function readOnlyError(url: string): DatabaseUnusable {
  return new DatabaseUnusable(
    `Cannot use PostgreSQL at ${parseAddress(url).host}: the database is read-only. Is it a replica, or a primary ` +
      'before a failover? DATABASE_URL must name the primary.',
    { mayPass: true },
  );
}

/**
 * Returns an error that tells the operator what to fix. Errors unrelated to the database's URL stay unchanged. The
 * message never contains the password.
 */
export function toDatabaseUnusable(error: unknown, url: string): unknown {
  if (error instanceof DatabaseUnusable) return error;
  const failure = firstError(error);
  const place = parseAddress(url);
  const found = startFailureReasons.find(
    ({ codes, message }) => codes?.test(failure.code ?? '') || message?.test(failure.message),
  );
  if (!found && !failure.code && !(error instanceof Error)) return error;
  const why = found
    ? found.why(place)
    : `the connection failed unexpectedly (${failure.code ?? 'no code'}: ` +
      `${failure.message || 'no message'}).`;
  return new DatabaseUnusable(`Cannot use PostgreSQL at ${place.host}: ${why}`, {
    cause: error,
    mayPass: found?.mayPass === true,
  });
}

interface PostgresAddress {
  host: string;
  database: string;
  user: string;
}

interface StartFailureReason {
  codes?: RegExp;
  message?: RegExp;
  why(place: PostgresAddress): string;
  /** Whether the failure may be temporary. After a power cut, all machines start at once. */
  mayPass?: boolean;
}

/** Known reasons why PostgreSQL cannot be used, with advice for the operator. The first match is reported. */
const startFailureReasons: StartFailureReason[] = [
  {
    message: /unsupported startup parameter/,
    why: () =>
      'PgBouncer refuses the timeout settings. Set DATABASE_STATEMENT_TIMEOUT=0 and ' +
      'DATABASE_LOCK_TIMEOUT=0.',
  },
  {
    codes: /^3D000$/,
    message: /no such database/,
    why: ({ database }) =>
      `the database "${database}" does not exist. Create it: CREATE DATABASE "${database}" ENCODING ` +
      "'UTF8'.",
  },
  {
    codes: /^28P01$/,
    message: /client password must be a string/i,
    why: ({ user }) => `the user "${user}" or the password is wrong. Check DATABASE_URL.`,
  },
  {
    codes: /^28000$/,
    why: ({ user, database }) =>
      `the server refuses connections of "${user}" to "${database}". Check the user and sslmode in ` +
      'DATABASE_URL, and pg_hba.conf.',
  },
  {
    codes: /^42501$/,
    why: ({ user, database }) =>
      `"${user}" lacks permissions. Make this user the owner: ALTER DATABASE "${database}" OWNER TO ` +
      `"${user}".`,
  },
  {
    message: /does not support SSL/i,
    why: () =>
      'the server does not support TLS. Remove sslmode from DATABASE_URL, or set up TLS on the server.',
  },
  {
    codes: /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|^ERR_TLS|^EPROTO$|ERR_SSL/,
    why: () =>
      'the certificate is not trusted. Add the certificate authority with sslrootcert=… to ' +
      'DATABASE_URL.',
  },
  {
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    why: () => 'the host name does not exist. Check DATABASE_URL.',
    mayPass: true,
  },
  { codes: /^ECONNREFUSED$/, why: () => 'the connection is refused. Is PostgreSQL running?', mayPass: true },
  {
    codes: /^(ECONN.*|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    message: /timeout|Connection terminated|server login|cannot connect to server/i,
    why: () =>
      'the server does not respond. Is PostgreSQL running, and does a firewall block the connection?',
    mayPass: true,
  },
  { codes: /^57P0.$/, why: () => 'PostgreSQL is starting or stopping.', mayPass: true },
  { codes: /^53...$/, why: () => 'PostgreSQL accepts no more connections (max_connections).', mayPass: true },
];

/** Returns the first error. A host with several IP addresses fails with one error per IP address. */
function firstError(error: unknown): { code?: string; message: string } {
  const { errors } = error as { errors?: unknown[] };
  return (errors?.[0] ?? error) as { code?: string; message: string };
}

function parseAddress(url: string): PostgresAddress {
  const { host, user, database } = new pg.Client({ connectionString: withLibpqTlsMode(url) });
  const { port } = new URL(url);
  return { host: `${host}${port ? `:${port}` : ''}`, user: user ?? '', database: database ?? '' };
}
