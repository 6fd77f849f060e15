/**
 * Starts a real PgBouncer for the tests, if one is installed, in the mode that keeps no session: transaction
 * pooling.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../support/postgres.ts';

const poolSize = 4;

export interface PgBouncer {
  /** Returns the URL of the same database through the pooler. */
  of(url: string): string;
  stop(): Promise<void>;
}

/** Selects another PgBouncer than the system's: `LIGHTWELL_PGBOUNCER=/path/to/pgbouncer npm test`. */
const program = process.env.LIGHTWELL_PGBOUNCER ?? 'pgbouncer';
const version = readVersion(program);
const isStatementKeeper = version !== undefined && (version.major > 1 || version.minor >= 21);

/** Value for the option `skip` of tests that need PgBouncer. */
export const withoutPgBouncer = version ? false : 'pgbouncer is not installed here';
export const withoutKeeper = isStatementKeeper
  ? false
  : 'no PgBouncer from 1.21 on, which keeps statements, is installed here';

/** The settings that the README recommends for PgBouncer. */
export const pooledEnvironment = { DATABASE_STATEMENT_TIMEOUT: '0', DATABASE_LOCK_TIMEOUT: '0' };

/**
 * Starts a PgBouncer for the PostgreSQL at `serverUrl`, and uses that URL's user and password for all
 * clients. `maxPreparedStatements` is the limit per connection. The limit is zero by default, because
 * PgBouncer 1.24 and later would otherwise keep 200.
 */
export async function startPgBouncer(serverUrl: string, maxPreparedStatements = 0): Promise<PgBouncer> {
  const server = new URL(serverUrl);
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-pgbouncer-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
server_login_retry = 1
${isStatementKeeper ? `max_prepared_statements = ${maxPreparedStatements}` : ''}
`,
  );
  // PgBouncer refuses to run as root, so it runs as nobody.
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, [...account, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = once(child, 'exit');
  let output = '';
  for await (const text of child.stderr.setEncoding('utf8')) {
    output += text;
    if (output.includes('process up')) break;
  }
  if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${output}`);
  return {
    of: (url) => Object.assign(new URL(url), { port: String(port) }).href,
    async stop() {
      process.removeListener('exit', kill);
      kill();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the number of prepared statements on each connection of the pooler to the database. Opens all
 * connections at once to reach every connection.
 */
export async function startPreparedGallery(pooledUrl: string): Promise<number[]> {
  const clients = Array.from({ length: poolSize }, () => new pg.Client({ connectionString: pooledUrl }));
  try {
    return await Promise.all(
      clients.map(async (client) => {
        await client.connect();
        await client.query('BEGIN');
        const { rows } = await client.query('SELECT count(*)::integer AS count FROM pg_prepared_statements');
        return rows[0].count;
      }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

function readVersion(program: string): { major: number; minor: number } | undefined {
  try {
    const text = execFileSync(program, ['--version'], { encoding: 'utf8' });
    const [, major, minor] = /(\d+)\.(\d+)/.exec(text)!;
    return { major: Number(major), minor: Number(minor) };
  } catch {
    return undefined;
  }
}
