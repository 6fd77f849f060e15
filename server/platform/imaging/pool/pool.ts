/**
 * Pool of picture workers. Workers are started on demand, reused while warm, and ended when idle. The imaging queue
 * decides how many run at once and for which callers.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { getErrorCode } from '../../errors/storage.ts';
import { type SandboxFeatures, yieldSandboxesByStrength } from './launch.ts';
import { type PictureWorker, startPictureWorker, type WorkerAnswer, type WorkerJob } from './worker.ts';
import { WorkerEnded, type WorkerEndReason } from './worker-ended.ts';

export interface WorkerPoolOptions {
  /** Folder that holds the workers' folders, on a volume with space for pictures. */
  folder: string;
  /** Returns a unique name for a worker's folder. */
  newName(): string;
  /** Maximum idle picture workers that stay warm. */
  maxIdle: number;
  /** Memory of an ordinary job in bytes. A job that needs more gets its own worker. */
  ordinaryBytes: number;
  /** Maximum bytes of a job that fits beside idle workers. A larger job ends the idle workers first. */
  roomyBytes?: number;
  idleMs?: number;
  /** Sets of protections in the order in which they are tried. The first that works is used. */
  walls?: Iterable<SandboxFeatures>;
  program?: string;
  maxFolderBytes?: number;
  /** Maximum milliseconds for the start of a worker. */
  startMs?: number;
}

export type ReadJobResult<Result> = (answer: WorkerAnswer, folder: string) => Promise<Result>;

export interface WorkerPool {
  /**
   * Runs a job in a worker; `take` then reads the answer and the files in the worker's folder. Throws WorkerEnded, or
   * the errors of `take`. An earlier picture may have damaged a reused worker, so its failed job is retried once with a
   * new worker.
   */
  run<Result>(asked: WorkerJob, take: ReadJobResult<Result>): Promise<Result>;
  /** Starts one worker to find out whether pictures can be processed on this system. */
  testSandbox(): Promise<SandboxFeatures>;
  /** Number of picture workers, busy and idle. */
  readonly size: number;
  close(): Promise<void>;
}

/** Whether a protection is unsupported: the worker ended before it was ready, or a required program is missing. */
const isSandboxError = (error: unknown): boolean =>
  error instanceof WorkerEnded ? error.why === 'crash' : getErrorCode(error) === 'ENOENT';

/** Error codes when the system allows no more processes. */
const noProcesses = ['EAGAIN', 'ENOMEM'];

const triedAgain: WorkerEndReason[] = ['crash', 'memory', 'room'];

const defaultIdleMs = 120_000;
/**
 * Maximum bytes of memory with which a worker is reused. Memory of a larger worker is fragmented and would not be fully
 * released.
 */
export const maxReusedWorkerBytes = 150_000_000;
const keptCpuSeconds = 120;

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { folder, newName, maxIdle, ordinaryBytes, roomyBytes = 0, idleMs = defaultIdleMs } = options;
  const workers = new Set<PictureWorker>();
  const idle = new Map<PictureWorker, NodeJS.Timeout>();
  let finding: Promise<SandboxFeatures> | undefined;
  let isClosed = false;

  const closed = () => new WorkerEnded('closed', 'the server is stopping');

  async function start(walls: SandboxFeatures, memoryBytes: number, heic: boolean): Promise<PictureWorker> {
    // Without this check, each waiting picture would start a worker only to fail.
    if (isClosed) throw closed();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { program, maxFolderBytes, startMs } = options;
    const own = join(folder, newName());
    const worker = await startPictureWorker(
      { walls, memoryBytes, heic, program, folder: own },
      { maxFolderBytes, startMs },
    );
    workers.add(worker);
    void worker.ended.then(() => {
      removeIdle(worker);
      workers.delete(worker);
    });
    if (!isClosed) return worker;
    await end(worker);
    throw closed();
  }

  async function end(worker: PictureWorker): Promise<void> {
    removeIdle(worker);
    await worker.end();
  }

  function removeIdle(worker: PictureWorker): void {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
  }

  /** Finds the strongest protections that this system supports. The worker started for the test stays in the pool. */
  async function findSandbox(): Promise<SandboxFeatures> {
    let failure: unknown;
    for (const walls of options.walls ?? yieldSandboxesByStrength()) {
      try {
        putIdle(await startPatiently(walls));
        return walls;
      } catch (error) {
        // Missing descriptors or processes are temporary and no reason for weaker protections.
        if (!isSandboxError(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** Starts an ordinary worker, and once more if a busy machine had no time for the first one. */
  async function startPatiently(walls: SandboxFeatures): Promise<PictureWorker> {
    return await start(walls, ordinaryBytes, false).catch((error: unknown) => {
      if (!(error instanceof WorkerEnded) || error.why !== 'busy') throw error;
      return start(walls, ordinaryBytes, false);
    });
  }

  function getSandbox(): Promise<SandboxFeatures> {
    finding ??= findSandbox().catch((error: unknown) => {
      // The failure may be temporary, e.g. if no descriptors are left, so the next job searches again.
      finding = undefined;
      throw error;
    });
    return finding;
  }

  function putIdle(worker: PictureWorker): void {
    idle.set(worker, setTimeout(() => void end(worker), idleMs).unref());
  }

  function popIdle(): PictureWorker | undefined {
    for (const worker of idle.keys()) {
      removeIdle(worker);
      if (!worker.hasEnded) return worker;
    }
    return undefined;
  }

  async function workerFor({ job, memoryBytes }: WorkerJob, fresh: boolean): Promise<PictureWorker> {
    const walls = await getSandbox();
    const heic = 'expected' in job && job.expected?.format === 'heic';
    if (!heic && memoryBytes <= ordinaryBytes) {
      const warm = fresh ? undefined : popIdle();
      return warm ?? (await startAnother(walls, ordinaryBytes, false));
    }
    // Idle workers hold memory that a large picture may need.
    if (memoryBytes > roomyBytes) await Promise.all([...idle.keys()].map(end));
    return await startAnother(walls, memoryBytes, heic);
  }

  /** Starts a worker with protections that have worked before, so a failed start is not caused by a picture. */
  async function startAnother(...args: Parameters<typeof start>): Promise<PictureWorker> {
    return await start(...args).catch((error: unknown) => {
      const passes = isSandboxError(error) || noProcesses.includes(getErrorCode(error) ?? '');
      throw passes ? new WorkerEnded('busy', String(error)) : error;
    });
  }

  async function returnWorker(worker: PictureWorker, isOrdinary: boolean): Promise<void> {
    const usage = worker.hasEnded ? undefined : await worker.usage();
    const isWorn = !usage || usage.memory > maxReusedWorkerBytes || usage.cpu > keptCpuSeconds;
    if (!isOrdinary || isWorn || isClosed || idle.size >= maxIdle) return await end(worker);
    try {
      await worker.clear();
      putIdle(worker);
    } catch {
      // The worker has left files that cannot be removed.
      await end(worker);
    }
  }

  async function runWith<Result>(
    worker: PictureWorker,
    asked: WorkerJob,
    take: ReadJobResult<Result>,
  ): Promise<Result> {
    let isWell = false;
    try {
      const result = await take(await worker.ask(asked), worker.folder);
      isWell = true;
      return result;
    } catch (error) {
      // A failure that the worker itself reported is no reason to end it.
      isWell = !(error instanceof WorkerEnded);
      throw error;
    } finally {
      await returnWorker(worker, isWell && asked.memoryBytes <= ordinaryBytes);
    }
  }

  return {
    async run(asked, take) {
      const worker = await workerFor(asked, false);
      const mayBeOthers = !worker.isFresh;
      try {
        return await runWith(worker, asked, take);
      } catch (error) {
        if (!(error instanceof WorkerEnded) || !mayBeOthers) throw error;
        // An earlier picture may have compromised the worker and caused this failure. A timeout is not retried, to
        // avoid spending the time twice.
        error.isCertain = false;
        if (!triedAgain.includes(error.why)) throw error;
        return await runWith(await workerFor(asked, true), asked, take);
      }
    },
    async testSandbox() {
      return await getSandbox();
    },
    get size() {
      return workers.size;
    },
    async close() {
      isClosed = true;
      await Promise.all([...workers].map(end));
    },
  };
}
