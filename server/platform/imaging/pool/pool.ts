/**
 * The picture workers: started when they are needed, warm while they are used, ended when they are idle. How many work
 * at once, and for whom, the imaging queue decides before.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../errors/storage.ts';
import { type Ending, WorkerEnded } from './ended.ts';
import { type Walls, weakerWalls } from './launch.ts';
import { type Answer, type Asked, type PictureWorker, startWorker } from './worker.ts';

export interface PoolOptions {
  /** Holds the workers' folders; on a volume with room for pictures. */
  folder: string;
  /** A name that no other folder there has. */
  newName(): string;
  /** How many stay warm. */
  keep: number;
  /** Bytes that an ordinary job may come to hold. A job that needs more gets a worker of its own. */
  ordinaryBytes: number;
  /** What needs no more than this fits beside idle workers. */
  roomyBytes?: number;
  idleMs?: number;
  /** Tried in their order; the first that hold are kept. */
  walls?: Iterable<Walls>;
  program?: string;
  maxFolderBytes?: number;
}

export type Take<Result> = (answer: Answer, folder: string) => Promise<Result>;

export interface Pool {
  /**
   * Gives the job to a worker; then `take` reads what it answered and left in its folder. Throws WorkerEnded, or what
   * `take` throws. A picture before may have damaged a worker: what ends one that has worked before is tried with a new
   * one, once.
   */
  run<Result>(asked: Asked, take: Take<Result>): Promise<Result>;
  /** Starts one worker, so that it is known whether pictures can be opened here. */
  tryOut(): Promise<Walls>;
  /** Workers there are, busy and warm. */
  readonly size: number;
  close(): Promise<void>;
}

/** The worker ended before it was ready, or there is no such program as puts up the wall. */
const isOfWalls = (error: unknown): boolean =>
  error instanceof WorkerEnded ? error.why === 'crash' : codeOf(error) === 'ENOENT';

/** What the system says where there may be no more processes. */
const noProcesses = ['EAGAIN', 'ENOMEM'];

const triedAgain: Ending[] = ['crash', 'memory', 'room'];

const usualIdleMs = 120_000;
/** A worker that has grown by more is not kept: its memory would come back only in pieces. */
export const keptBytes = 150_000_000;
const keptCpuSeconds = 120;

export function createPool(options: PoolOptions): Pool {
  const { folder, newName, keep, ordinaryBytes, roomyBytes = 0, idleMs = usualIdleMs } = options;
  const workers = new Set<PictureWorker>();
  const idle = new Map<PictureWorker, NodeJS.Timeout>();
  let finding: Promise<Walls> | undefined;
  let isClosed = false;

  const closed = () => new WorkerEnded('closed', 'the server stops');

  async function start(walls: Walls, memoryBytes: number, heic: boolean): Promise<PictureWorker> {
    // Each picture that waits would otherwise start a program, one after the other, to be told so.
    if (isClosed) throw closed();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { program, maxFolderBytes } = options;
    const own = join(folder, newName());
    const worker = await startWorker({ walls, memoryBytes, heic, program, folder: own }, maxFolderBytes);
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

  /** The strongest walls that can be put up here. The worker that shows it is kept. */
  async function findWalls(): Promise<Walls> {
    let failure: unknown;
    for (const walls of options.walls ?? weakerWalls()) {
      try {
        putAside(await start(walls, ordinaryBytes, false));
        return walls;
      } catch (error) {
        // No descriptors, no processes: that passes, and is no reason for weaker walls.
        if (!isOfWalls(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  function wallsHere(): Promise<Walls> {
    finding ??= findWalls().catch((error: unknown) => {
      // It may pass, as where there are no descriptors left.
      finding = undefined;
      throw error;
    });
    return finding;
  }

  function putAside(worker: PictureWorker): void {
    idle.set(worker, setTimeout(() => void end(worker), idleMs).unref());
  }

  function popIdle(): PictureWorker | undefined {
    for (const worker of idle.keys()) {
      removeIdle(worker);
      if (!worker.hasEnded) return worker;
    }
    return undefined;
  }

  async function workerFor({ job, memoryBytes }: Asked, fresh: boolean): Promise<PictureWorker> {
    const walls = await wallsHere();
    const heic = 'expected' in job && job.expected?.format === 'heic';
    if (!heic && memoryBytes <= ordinaryBytes) {
      const warm = fresh ? undefined : popIdle();
      return warm ?? (await startAnother(walls, ordinaryBytes, false));
    }
    // Idle workers keep memory that a large picture may need.
    if (memoryBytes > roomyBytes) await Promise.all([...idle.keys()].map(end));
    return await startAnother(walls, memoryBytes, heic);
  }

  /** Behind walls that have held before: that it does not start is no fault of a picture. */
  async function startAnother(...args: Parameters<typeof start>): Promise<PictureWorker> {
    return await start(...args).catch((error: unknown) => {
      const passes = isOfWalls(error) || noProcesses.includes(codeOf(error) ?? '');
      throw passes ? new WorkerEnded('busy', String(error)) : error;
    });
  }

  async function giveBack(worker: PictureWorker, isOrdinary: boolean): Promise<void> {
    const usage = worker.hasEnded ? undefined : await worker.usage();
    const isWorn = !usage || usage.memory > keptBytes || usage.cpu > keptCpuSeconds;
    if (!isOrdinary || isWorn || isClosed || idle.size >= keep) return await end(worker);
    try {
      await worker.clear();
      putAside(worker);
    } catch {
      // It has left what cannot be removed.
      await end(worker);
    }
  }

  async function runWith<Result>(worker: PictureWorker, asked: Asked, take: Take<Result>): Promise<Result> {
    let isWell = false;
    try {
      const result = await take(await worker.ask(asked), worker.folder);
      isWell = true;
      return result;
    } catch (error) {
      // A failure that it told is no reason to end it.
      isWell = !(error instanceof WorkerEnded);
      throw error;
    } finally {
      await giveBack(worker, isWell && asked.memoryBytes <= ordinaryBytes);
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
        // Whoever took it over during a job before may have done it; time is not spent twice.
        error.isCertain = false;
        if (!triedAgain.includes(error.why)) throw error;
        return await runWith(await workerFor(asked, true), asked, take);
      }
    },
    async tryOut() {
      return await wallsHere();
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
