/**
 * A picture worker: a process that runs one job at a time, is watched meanwhile, and is killed when it exceeds a limit.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { ImagingJob } from '../jobs.ts';
import { copyInputIntoFolder, createWorkerFolder, emptyWorkerFolder, removeWorkerFolder } from './folder.ts';
import { launchWorker, nobodyUserId, type WorkerLaunch } from './launch.ts';
import { listProcessChain, type ProcessUsage, readProcessUsage } from './usage.ts';
import { type WorkerBounds, watchWorker } from './watch.ts';
import { WorkerEnded, type WorkerEndReason } from './worker-ended.ts';

export interface WorkerJob {
  job: ImagingJob;
  /** Picture to process: the path of a file, or bytes. */
  input: string | Buffer;
  /** Bytes of memory in addition to the worker's memory when it was ready. */
  memoryBytes: number;
  /** Maximum seconds of CPU time and of wall-clock time for the job. */
  cpuSeconds: number;
  seconds: number;
  /** Signal that aborts when the client that waits for the job disconnects. */
  signal?: AbortSignal | undefined;
}

/** A line from the worker, not yet validated against its schema. */
export interface WorkerAnswer {
  id: string;
  answer?: unknown;
  failure?: unknown;
}

export interface PictureWorker {
  folder: string;
  /** Runs a job in the worker; only one job at a time is allowed. Rejects with WorkerEnded. */
  ask(asked: WorkerJob): Promise<WorkerAnswer>;
  /** Whether the worker has not run a job yet. */
  readonly isFresh: boolean;
  /** Removes all files of the last job from the worker's folder. */
  clear(): Promise<void>;
  usage(): Promise<ProcessUsage | undefined>;
  /** Ends the worker, and resolves when its process and its folder are gone. */
  end(why?: WorkerEndReason): Promise<void>;
  readonly hasEnded: boolean;
  /** Resolves when the worker's process and folder are gone, for any reason. */
  ended: Promise<void>;
}

interface StartBounds {
  maxFolderBytes?: number | undefined;
  startMs?: number | undefined;
}

/** Maximum bytes of an answer. Answers contain texts and numbers, no pictures. */
const maxAnswerBytes = 64 * 1024;
const maxComplaintBytes = 4 * 1024;
const ownStartMs = 30_000;
/** Maximum bytes of error messages that a worker may write in its life. */
const maxComplaintsBytes = 1024 * 1024;
const watchMs = 25;
/** Milliseconds until a worker is killed again, in case its chain of processes was not known at the first kill. */
const killAgainMs = 1000;
const finalOutputMs = 500;
const ownFolderBytes = 1_500_000_000;
/**
 * Limits of an idle worker. A worker compromised during a job could continue while idle, so almost nothing is allowed.
 */
const idleBounds = {
  memoryBytes: 100_000_000,
  cpuSeconds: 0.3,
  seconds: Infinity,
  writtenBytes: 100_000_000,
  everyMs: 250,
};

/**
 * Starts a worker and resolves when it is ready. Rejects with WorkerEnded if the worker ends before, e.g. because a
 * protection is unsupported. Rejects with the system's error if the process could not be started. `maxFolderBytes`
 * limits all files in the worker's folder, and `startMs` the time until the worker is ready.
 */
export async function startPictureWorker(
  options: WorkerLaunch,
  { maxFolderBytes = ownFolderBytes, startMs = ownStartMs }: StartBounds = {},
): Promise<PictureWorker> {
  const { folder, walls } = options;
  const owner = walls.otherUser ? nobodyUserId : undefined;
  createWorkerFolder(folder, owner);
  const child = launchWorker(options);
  if (child.pid === undefined) {
    const [error] = await once(child, 'error');
    await removeWorkerFolder(folder);
    throw error;
  }
  const closed = Promise.withResolvers<void>();
  let complaints = '';
  let complained = 0;
  let line = '';
  let hasEnded = false;
  let isFresh = true;
  let why: WorkerEndReason | undefined;
  /** Process ids from the started process to the working one. */
  let chain = [child.pid];
  let endWatch = () => {};
  let asked: { id: string; answered: PromiseWithResolvers<WorkerAnswer> } | undefined;

  function kill(reason: WorkerEndReason): void {
    // The system may have given the process id to another process by now.
    if (hasEnded) return;
    why ??= reason;
    // The server ignores further output, even if another process holds the channel open.
    child.stdout!.destroy();
    child.stderr!.destroy();
    // All processes of a namespace end with its first one, and the process that waits for it then ends by itself. If
    // the waiting process were killed too, the others would stay as zombies where the server is the first process.
    const [waiting, ...inside] = chain;
    sendKill(inside.length > 0 ? inside : [-waiting!]);
    setTimeout(() => !hasEnded && sendKill([-waiting!, ...chain]), killAgainMs).unref();
  }

  function receiveLine(text: string): void {
    try {
      const answer = JSON.parse(text) as Partial<WorkerAnswer> | null;
      // A line for an earlier job, or for no job, means that the worker misbehaves.
      if (!asked || answer?.id !== asked.id) kill('crash');
      else asked.answered.resolve(answer as WorkerAnswer);
    } catch {
      kill('crash');
    }
  }

  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    line += text;
    const end = line.indexOf('\n');
    if (line.length > maxAnswerBytes || (end !== -1 && end !== line.length - 1)) return kill('crash');
    if (end === -1) return;
    const whole = line;
    line = '';
    receiveLine(whole);
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-maxComplaintBytes);
    complained += text.length;
    if (complained > maxComplaintsBytes) kill('crash');
  });
  // A process that has ended does not read its input, so the error is ignored.
  child.stdin!.on('error', () => {});
  child.on('exit', (code, signal) => fail(signal ?? toSignal(code)));

  function fail(status: NodeJS.Signals | number | null): void {
    hasEnded = true;
    endWatch();
    void removeWorkerFolder(folder).then(closed.resolve);
    const reject = () =>
      asked?.answered.reject(
        new WorkerEnded(why ?? classifyEnding(status, complaints), `${status}, ${complaints.trim()}`),
      );
    // The last error messages may still arrive, but another process may hold the channel open, so the wait is limited.
    child.once('close', reject);
    setTimeout(reject, finalOutputMs).unref();
  }

  function answerTo(id: string): Promise<WorkerAnswer> {
    if (hasEnded) return Promise.reject(new WorkerEnded('crash', complaints));
    const answered = Promise.withResolvers<WorkerAnswer>();
    asked = { id, answered };
    return answered.promise.finally(() => {
      asked = undefined;
    });
  }

  const timer = setTimeout(() => kill('busy'), startMs);
  await answerTo('ready').finally(() => clearTimeout(timer));
  chain = listProcessChain(child.pid);
  const working = chain.at(-1)!;
  const own = await readProcessUsage(working);

  /**
   * Makes the worker keep the server's process alive only while busy, so that an idle worker does not block the end of
   * a command.
   */
  function holdProcess(isBusy: boolean): void {
    for (const handle of [child, child.stdin, child.stdout, child.stderr] as Partial<NodeJS.Timeout>[]) {
      if (isBusy) handle.ref?.();
      else handle.unref?.();
    }
  }

  function watchWithin(bounds: Omit<WorkerBounds, 'folderBytes'>): void {
    endWatch();
    if (hasEnded) return;
    endWatch = watchWorker({ chain, folder }, { ...bounds, folderBytes: maxFolderBytes }, kill);
  }

  function watchJob({ job, memoryBytes, cpuSeconds, seconds }: WorkerJob): void {
    const steps = job.kind === 'edit' ? job.steps.length : 0;
    watchWithin({
      memoryBytes,
      memoryBefore: own?.memory,
      cpuSeconds,
      seconds,
      writtenBytes: maxFolderBytes * (1 + steps),
      everyMs: watchMs,
    });
  }

  holdProcess(false);
  return {
    folder,
    async ask(wanted) {
      const { job, input, signal } = wanted;
      isFresh = false;
      const giveUp = () => kill('gone');
      holdProcess(true);
      try {
        await copyInputIntoFolder(folder, input, owner);
        if (signal?.aborted) throw new WorkerEnded('gone', 'before it began');
        signal?.addEventListener('abort', giveUp, { once: true });
        const id = randomUUID();
        const answer = answerTo(id);
        child.stdin!.write(`${JSON.stringify({ id, job })}\n`);
        watchJob(wanted);
        return await answer;
      } finally {
        holdProcess(false);
        watchWithin(idleBounds);
        signal?.removeEventListener('abort', giveUp);
      }
    },
    clear: () => emptyWorkerFolder(folder),
    usage: () => readProcessUsage(working),
    async end(reason = 'closed') {
      holdProcess(true);
      kill(reason);
      await closed.promise;
    },
    ended: closed.promise,
    get isFresh() {
      return isFresh;
    },
    get hasEnded() {
      return hasEnded;
    },
  };
}

function sendKill(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended already, so there is nothing to kill.
    }
  }
}

/**
 * Converts an exit code to a signal. The first process of a namespace is a shell, which reports a signal as an exit
 * code.
 */
function toSignal(code: number | null): NodeJS.Signals | number | null {
  const [name] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? [];
  return (name as NodeJS.Signals | undefined) ?? code;
}

/** Messages of GLib, V8 and the C++ library when memory runs out. */
const outOfMemory = /out of memory|failed to allocate|allocation failed|bad_alloc|creating thread/i;

function classifyEnding(status: NodeJS.Signals | number | null, complaints: string): WorkerEndReason {
  if (outOfMemory.test(complaints)) return 'memory';
  if (status === 'SIGXCPU') return 'time';
  // The server did not send this SIGKILL, so the system killed the worker because its memory was exhausted.
  return status === 'SIGKILL' ? 'busy' : 'crash';
}
