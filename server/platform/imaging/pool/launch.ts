/**
 * Starts a picture worker with as few rights as the system allows. docs/threats.md says which walls hold on which system,
 * and docs/adr/0051-picture-workers.md why they were chosen.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The walls around a worker that a system can put up. */
export interface Walls {
  /** A network and processes of its own, in which there is nothing but itself (Linux namespaces). */
  alone: boolean;
  /** No program that it starts may have more rights than it has. */
  noNewRights: boolean;
  /** Limits of the system: of memory, CPU seconds, files and their size. */
  limits: boolean;
  /** It runs as another user than the server, who may be root. */
  otherUser: boolean;
}

const allWalls: Walls = { alone: true, noNewRights: true, limits: true, otherUser: true };

/** In the order in which they are tried: what a system cannot do makes a worker end before it is ready. */
export function* weakerWalls(): Generator<Walls> {
  const otherUser = process.getuid?.() === 0;
  yield { ...allWalls, otherUser };
  yield { ...allWalls, otherUser, alone: false };
  yield { otherUser, alone: false, noNewRights: false, limits: true };
  yield { otherUser: false, alone: false, noNewRights: false, limits: false };
}

/** In words, for the operator. */
export function missingWalls(walls: Walls): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    ...(walls.alone
      ? []
      : ['they see the network and other processes (no name spaces here, or no `unshare`)']),
    ...(walls.noNewRights ? [] : ['programs with more rights can be started (no `setpriv` here)']),
    ...(walls.limits ? [] : ['the system does not limit their memory']),
    ...(walls.otherUser || !isRoot ? [] : ['they run as root']),
  ];
}

export interface Launch {
  walls: Walls;
  /** The worker's own folder, in which it starts. */
  folder: string;
  /** Bytes that a job may come to hold beyond what the program itself does. */
  memoryBytes: number;
  /** Whether it loads the decoder of HEIC. */
  heic: boolean;
  /** A program in place of the worker's, with which tests try the walls. */
  program?: string | undefined;
}

/** The user `nobody`, who owns no files. */
export const otherUserId = 65_534;

/**
 * Bytes of data that Node has reserved before it sees a picture: 583 MB with Node 26 on x86-64, most of it for compiled
 * code. On a system that reserves less, the limit is wider, and the watch (watch.ts) comes first.
 */
const reservedBytes = 600_000_000;

/** A worker's whole life; the pool ends it long before. */
const maxCpuSeconds = 300;
/** The largest file: an uncompressed picture of 110 megapixels between two steps of an edit. */
export const maxFileBytes = 480_000_000;
const maxOpenFiles = 64;
/** The stack of each thread. The limit of data counts the whole stack of a thread, which is 8 MB by default, for 12 threads. */
const stackKilobytes = 2048;

const workerProgram = fileURLToPath(new URL('../worker/main.ts', import.meta.url));
const application = fileURLToPath(new URL('../../../../', import.meta.url));

/** Standard input and output are pipes for jobs and answers, one line each; the worker has no other channel. */
export function launch({ walls, folder, memoryBytes, heic, program }: Launch): ChildProcess {
  const command = [
    ...(walls.limits ? underLimits(memoryBytes) : []),
    ...(walls.noNewRights ? ['setpriv', '--no-new-privs', ...(walls.alone ? endWithServer : [])] : []),
    ...(walls.alone ? alone() : []),
    process.execPath,
    ...(program ? [program] : [...nodeOptions(folder), workerProgram]),
    walls.otherUser ? String(otherUserId) : '-',
    ...(heic ? ['heic'] : []),
  ];
  // In a session of its own: it cannot type into the server's terminal, and Ctrl-C there is not meant for it.
  const detached = process.platform !== 'win32';
  return spawn(command[0]!, command.slice(1), { cwd: folder, env: environment(), stdio: 'pipe', detached });
}

function underLimits(memoryBytes: number): string[] {
  const kilobytes = Math.ceil((reservedBytes + memoryBytes) / 1024);
  const limits = [
    'ulimit -c 0',
    `ulimit -s ${stackKilobytes}`,
    `ulimit -d ${kilobytes}`,
    `ulimit -t ${maxCpuSeconds}`,
    `ulimit -n ${maxOpenFiles}`,
    `ulimit -f ${Math.ceil(maxFileBytes / 512)}`,
  ];
  // If memory runs out, Linux ends a worker before anything else. Other systems have no such file.
  const first = '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null';
  return ['/bin/sh', '-c', `${first}; ${limits.join(' && ')} && exec "$@"`, 'sh'];
}

/** Kills `unshare` when the server is killed; `--kill-child` then kills the first process of the name space. */
const endWithServer = ['--pdeathsig', 'KILL'];

/**
 * The first process of the name space, with which all others end. A worker that becomes another user would lose the
 * signal that `--kill-child` asks for; this stays who it is.
 */
const firstProcess = ['/bin/sh', '-c', '"$@"; exit $?', 'sh'];

/** A server that is not root makes a name space of users first, in which the others are allowed. */
function alone(): string[] {
  const isRoot = process.getuid?.() === 0;
  const spaces = [...(isRoot ? [] : ['--user']), '--net', '--ipc', '--pid'];
  return ['unshare', ...spaces, '--fork', '--kill-child', ...firstProcess];
}

/** Node's own promises, which hold for JavaScript: no network, processes, threads, databases or files of others. */
function nodeOptions(folder: string): string[] {
  return [
    '--permission',
    '--allow-addons',
    `--allow-fs-read=${application}`,
    `--allow-fs-read=${folder}`,
    `--allow-fs-write=${folder}`,
    '--no-experimental-sqlite',
    '--disable-warning=PERM0001',
    '--max-old-space-size=128',
  ];
}

/** Contains nothing of the server's environment. With one arena memory that was freed is given back instead of kept in pieces. */
function environment(): NodeJS.ProcessEnv {
  const modules = getCompileCacheDir();
  return {
    PATH: process.env.PATH ?? '',
    MALLOC_ARENA_MAX: '1',
    UV_THREADPOOL_SIZE: '1',
    PROGRAM_FOLDER: join(application, '/'),
    ...(modules !== undefined && { NODE_COMPILE_CACHE: dirname(modules) }),
  };
}
