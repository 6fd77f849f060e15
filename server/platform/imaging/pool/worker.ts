/** One picture worker: a process that is asked one job at a time, watched meanwhile, and killed where it goes too far. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Job } from '../jobs.ts';
import { type Ending, WorkerEnded } from './ended.ts';
import { emptyFolder, makeFolder, putInput, removeFolder } from './folder.ts';
import { type Launch, launch, otherUserId } from './launch.ts';
import { chainFrom, readUsage, type Usage } from './usage.ts';
import { type Bounds, watch } from './watch.ts';

export interface Asked {
  job: Job;
  /** A path, or the bytes. */
  input: string | Buffer;
  /** Beyond what the worker had when it was ready. */
  memoryBytes: number;
  /** Seconds of processor time, and seconds by the clock. */
  cpuSeconds: number;
  seconds: number;
  /** The client's, who waits for it. */
  signal?: AbortSignal | undefined;
}

/** A line of a worker, not yet compared with its schema. */
export interface Answer {
  id: string;
  answer?: unknown;
  failure?: unknown;
}

export interface PictureWorker {
  folder: string;
  /** Rejects with WorkerEnded. One job at a time. */
  ask(asked: Asked): Promise<Answer>;
  /** It has had no job yet. */
  readonly isFresh: boolean;
  /** Takes all of the last job out of its folder. */
  clear(): Promise<void>;
  usage(): Promise<Usage | undefined>;
  /** Resolves when nothing is left of it. */
  end(why?: Ending): Promise<void>;
  readonly hasEnded: boolean;
  /** Resolves when nothing is left of it, whoever ended it. */
  ended: Promise<void>;
}

/** Longer than any answer: texts and numbers, no pictures. */
const maxAnswerBytes = 64 * 1024;
const maxComplaintBytes = 4 * 1024;
const startMs = 30_000;
/** All that it may complain of while it lives. */
const maxComplaintsBytes = 1024 * 1024;
const watchMs = 25;
/** Killing it once more may help where its chain of processes was not known yet. */
const killAgainMs = 1000;
const lastWordsMs = 500;
const ownFolderBytes = 1_500_000_000;
/** Whoever took a worker over during a job may go on when it has nothing to do: then it may do next to nothing. */
const idleBounds = {
  memoryBytes: 100_000_000,
  cpuSeconds: 0.3,
  seconds: Infinity,
  writtenBytes: 100_000_000,
  everyMs: 250,
};

/**
 * Resolves when it can be asked; rejects with WorkerEnded when it ended before, as where the system cannot put up a wall,
 * and with the system's error when it could not be started. `maxFolderBytes`:
 * of all that lies in its folder.
 */
export async function startWorker(options: Launch, maxFolderBytes = ownFolderBytes): Promise<PictureWorker> {
  const { folder, walls } = options;
  const owner = walls.otherUser ? otherUserId : undefined;
  makeFolder(folder, owner);
  const child = launch(options);
  if (child.pid === undefined) {
    const [error] = await once(child, 'error');
    await removeFolder(folder);
    throw error;
  }
  const closed = Promise.withResolvers<void>();
  let complaints = '';
  let complained = 0;
  let line = '';
  let hasEnded = false;
  let isFresh = true;
  let why: Ending | undefined;
  /** From the process that was started to the one that works. */
  let chain = [child.pid];
  let endWatch = () => {};
  let asked: { id: string; answered: PromiseWithResolvers<Answer> } | undefined;

  function kill(reason: Ending): void {
    // Its number may be another's by now.
    if (hasEnded) return;
    why ??= reason;
    // The server hears nothing more from it, even if another process holds the channel.
    child.stdout!.destroy();
    child.stderr!.destroy();
    // All processes of a name space end with its first one. The process that waits for it ends then by itself: if it were
    // killed, too, nobody would take the others out of the system's table, where the server is the first process.
    const [waiting, ...inside] = chain;
    sendKill(inside.length > 0 ? inside : [-waiting!]);
    setTimeout(() => !hasEnded && sendKill([-waiting!, ...chain]), killAgainMs).unref();
  }

  function receiveLine(text: string): void {
    try {
      const answer = JSON.parse(text) as Partial<Answer> | null;
      // It answers an earlier job, or none.
      if (!asked || answer?.id !== asked.id) kill('crash');
      else asked.answered.resolve(answer as Answer);
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
  // A process that has ended reads nothing more.
  child.stdin!.on('error', () => {});
  child.on('exit', (code, signal) => fail(signal ?? toSignal(code)));

  function fail(status: NodeJS.Signals | number | null): void {
    hasEnded = true;
    endWatch();
    void removeFolder(folder).then(closed.resolve);
    const reject = () =>
      asked?.answered.reject(
        new WorkerEnded(why ?? classifyEnding(status, complaints), `${status}, ${complaints.trim()}`),
      );
    // Its last words are on their way; who else holds its channel may keep it open.
    child.once('close', reject);
    setTimeout(reject, lastWordsMs).unref();
  }

  function answerTo(id: string): Promise<Answer> {
    if (hasEnded) return Promise.reject(new WorkerEnded('crash', complaints));
    const answered = Promise.withResolvers<Answer>();
    asked = { id, answered };
    return answered.promise.finally(() => {
      asked = undefined;
    });
  }

  const timer = setTimeout(() => kill('busy'), startMs);
  await answerTo('ready').finally(() => clearTimeout(timer));
  chain = chainFrom(child.pid);
  const working = chain.at(-1)!;
  const own = await readUsage(working);

  /** An idle worker does not keep the process of a command alive. */
  function holdProcess(isBusy: boolean): void {
    for (const handle of [child, child.stdin, child.stdout, child.stderr] as Partial<NodeJS.Timeout>[]) {
      if (isBusy) handle.ref?.();
      else handle.unref?.();
    }
  }

  function watchWithin(bounds: Omit<Bounds, 'folderBytes'>): void {
    endWatch();
    if (hasEnded) return;
    endWatch = watch({ chain, folder }, { ...bounds, folderBytes: maxFolderBytes }, kill);
  }

  function watchJob({ job, memoryBytes, cpuSeconds, seconds }: Asked): void {
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
        await putInput(folder, input, owner);
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
    clear: () => emptyFolder(folder),
    usage: () => readUsage(working),
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
      // It has ended.
    }
  }
}

/** As a shell tells it, which is the first process in a name space. */
function toSignal(code: number | null): NodeJS.Signals | number | null {
  const [name] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? [];
  return (name as NodeJS.Signals | undefined) ?? code;
}

/** In the words of GLib, V8 and the C++ library. */
const outOfMemory = /out of memory|failed to allocate|allocation failed|bad_alloc|creating thread/i;

function classifyEnding(status: NodeJS.Signals | number | null, complaints: string): Ending {
  if (outOfMemory.test(complaints)) return 'memory';
  if (status === 'SIGXCPU') return 'time';
  // Not by us: the system took it, whose memory was at its end.
  return status === 'SIGKILL' ? 'busy' : 'crash';
}
