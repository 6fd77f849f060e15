/**
 * Starts a picture worker with as few rights as the system allows. `docs/threats.md` lists the protections per system,
 * and `docs/adr/0051-picture-workers.md` explains the choice.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { getPriority, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Protections around a worker that a system may support. */
export interface SandboxFeatures {
  /** Own network and process namespaces (Linux), in which the worker is alone. */
  alone: boolean;
  /** No program that the worker starts can gain more rights. */
  noNewRights: boolean;
  /** System limits on memory, CPU seconds, number of files and their size. */
  limits: boolean;
  /** The worker runs as a different user than the server, which may be root. */
  otherUser: boolean;
}

const allSandboxFeatures: SandboxFeatures = { alone: true, noNewRights: true, limits: true, otherUser: true };

/**
 * Yields sets of protections from strongest to weakest. With an unsupported protection a worker ends before it is
 * ready, and the next set is tried.
 */
export function* yieldSandboxesByStrength(): Generator<SandboxFeatures> {
  const otherUser = process.getuid?.() === 0;
  yield { ...allSandboxFeatures, otherUser };
  yield { ...allSandboxFeatures, otherUser, alone: false };
  yield { otherUser, alone: false, noNewRights: false, limits: true };
  yield { otherUser: false, alone: false, noNewRights: false, limits: false };
}

/** Describes the missing protections for the operator. */
export function describeMissingProtections(walls: SandboxFeatures): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    ...(walls.alone
      ? []
      : ['they can see the network and other processes (no namespaces here, or no `unshare`)']),
    ...(walls.noNewRights ? [] : ['they can start programs with more rights (no `setpriv` here)']),
    ...(walls.limits ? [] : ['the system does not limit their memory']),
    ...(walls.otherUser || !isRoot ? [] : ['they run as root']),
  ];
}

export interface WorkerLaunch {
  walls: SandboxFeatures;
  /** The worker's own folder, which is its working directory. */
  folder: string;
  /** Bytes that a job may take in addition to the worker program itself. */
  memoryBytes: number;
  /** Whether the worker loads the HEIC decoder. */
  heic: boolean;
  /** Program that replaces the worker's in tests of the protections. */
  program?: string | undefined;
}

/** User id of the system user `nobody`, who owns no files. */
export const nobodyUserId = 65_534;

/**
 * Bytes of data memory that Node reserves before the first job: 583 MB with Node 26 on x86-64, mostly for compiled
 * code. On a system that reserves less, the limit is looser, and `watch.ts` ends the job first.
 */
const reservedBytes = 600_000_000;

/**
 * Difference between the nice values of a worker and the server. If all cores are busy, the server gets three times the
 * CPU time of a worker, so that pictures do not delay other responses.
 */
export const workerPriority = 5;
const lowestPriority = 19;

/** Maximum CPU seconds in a worker's whole life. The pool replaces a worker long before. */
const maxCpuSeconds = 300;
/** Maximum bytes of a file: an uncompressed picture of 220 megapixels between two edit steps. */
export const maxWorkerFileBytes = 900_000_000;
const maxOpenFiles = 64;
/**
 * Stack size of each thread in KB. The data limit counts the whole stack of all 12 threads, which would be 8 MB each by
 * default.
 */
const stackKilobytes = 2048;

const workerProgram = fileURLToPath(new URL('../worker/main.ts', import.meta.url));
const applicationFolder = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Starts the worker's process. Standard input and output are pipes for jobs and answers, one line each. The worker has
 * no other channel.
 */
export function launchWorker({ walls, folder, memoryBytes, heic, program }: WorkerLaunch): ChildProcess {
  const command = [
    ...(walls.limits ? underLimits(memoryBytes) : []),
    ...(walls.noNewRights ? ['setpriv', '--no-new-privs', ...(walls.alone ? endWithServer : [])] : []),
    ...(walls.alone ? isolationArguments() : []),
    process.execPath,
    ...(program ? [program] : [...nodeOptions(folder), workerProgram]),
    walls.otherUser ? String(nobodyUserId) : '-',
    ...(heic ? ['heic'] : []),
  ];
  // The worker gets its own session, so that it cannot type into the server's terminal and does not receive Ctrl-C.
  const detached = process.platform !== 'win32';
  const options = { cwd: folder, env: createWorkerEnvironment(), stdio: 'pipe', detached } as const;
  const child = spawn(command[0]!, command.slice(1), options);
  // With limits, the shell lowers the priority before it starts another program.
  if (child.pid !== undefined && !walls.limits) lowerPriority(child.pid);
  return child;
}

/** Lowers the priority of a process that may have ended. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(getPriority() + workerPriority, lowestPriority));
  } catch (error) {
    if ((error as { info?: { code: string } }).info?.code !== 'ESRCH') throw error;
  }
}

function underLimits(memoryBytes: number): string[] {
  const kilobytes = Math.ceil((reservedBytes + memoryBytes) / 1024);
  const limits = [
    'ulimit -c 0',
    `ulimit -s ${stackKilobytes}`,
    `ulimit -d ${kilobytes}`,
    `ulimit -t ${maxCpuSeconds}`,
    `ulimit -n ${maxOpenFiles}`,
    `ulimit -f ${Math.ceil(maxWorkerFileBytes / 512)}`,
  ];
  // If memory runs out, Linux kills workers first because of this score. Other systems have no such file.
  const first = '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null';
  return ['/bin/sh', '-c', `${first}; ${limits.join(' && ')} && exec nice -n ${workerPriority} "$@"`, 'sh'];
}

/** Kills `unshare` when the server is killed. `--kill-child` then kills the first process of the namespace. */
const endWithServer = ['--pdeathsig', 'KILL'];

/**
 * First process of the namespace; all others end with it. A worker that changes its user would lose the signal of
 * `--kill-child`, but this process keeps its user.
 */
const firstProcess = ['/bin/sh', '-c', '"$@"; exit $?', 'sh'];

/**
 * Returns the command that creates the namespaces. A server that is not root first needs a user namespace, in which the
 * others are allowed.
 */
function isolationArguments(): string[] {
  const isRoot = process.getuid?.() === 0;
  const spaces = [...(isRoot ? [] : ['--user']), '--net', '--ipc', '--pid'];
  return ['unshare', ...spaces, '--fork', '--kill-child', ...firstProcess];
}

/**
 * Returns Node's options that restrict JavaScript: no network, processes, threads, databases or files outside the
 * folder.
 */
function nodeOptions(folder: string): string[] {
  return [
    '--permission',
    '--allow-addons',
    `--allow-fs-read=${applicationFolder}`,
    `--allow-fs-read=${folder}`,
    `--allow-fs-write=${folder}`,
    '--no-experimental-sqlite',
    '--disable-warning=PERM0001',
    '--max-old-space-size=128',
  ];
}

/**
 * Returns the worker's environment, without the server's variables. A single memory arena returns freed memory to the
 * system instead of fragmenting it.
 */
function createWorkerEnvironment(): NodeJS.ProcessEnv {
  const modules = getCompileCacheDir();
  return {
    PATH: process.env.PATH ?? '',
    MALLOC_ARENA_MAX: '1',
    UV_THREADPOOL_SIZE: '1',
    PROGRAM_FOLDER: join(applicationFolder, '/'),
    ...(modules !== undefined && { NODE_COMPILE_CACHE: dirname(modules) }),
  };
}
