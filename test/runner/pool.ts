/** Runs jobs in several processes. Each process runs one test file after the other. */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSetupName, Job } from './jobs.ts';
import { emptyOutcome, type Outcome } from './outcome.ts';
import type { TestProgress } from './place.ts';
import type { WorkerMessage, WorkerOrder } from './worker.ts';

export interface PoolOptions {
  environmentOf(home: DatabaseSetupName): Record<string, string>;
  /** Runs only tests whose name contains this text. */
  grep: string | undefined;
  /** How many processes run in parallel. */
  lanes?: number;
  /** Aborting this signal stops the running files, and no other file starts. */
  signal?: AbortSignal;
  limits?: Limits;
  onEnd(job: Job, outcome: Outcome, ms: number): void;
  /** Called instead of `onEnd` for each file that `signal` stopped. */
  onInterrupt?(job: Job, where: string): void;
}

interface Limits {
  fileMs: number;
  testMs: number;
  /**
   * Milliseconds between the signal that ends a process and SIGKILL. A test that blocks the event loop does
   * not react to the signal.
   */
  killMs: number;
}

/** More processes than cores, because many tests wait for a time limit, a lock, or a starting process. */
const maxProcesses = availableParallelism() + 2;
/**
 * A test has less time than its file, so that after a test that hangs, the other tests of the file still run.
 */
const usualLimits: Limits = { fileMs: 300_000, testMs: 240_000, killMs: 3000 };
/** `npm run torture` has files that work for many minutes. */
const tortureLimits: Limits = { fileMs: 3_600_000, testMs: 3_540_000, killMs: 3000 };
/** After this many files a process is replaced, so that leftovers of tests do not pile up. */
const maxFilesPerProcess = 40;

interface Worker {
  home: DatabaseSetupName;
  child: ChildProcess;
  left: number;
}

export async function runJobs(jobs: Job[], options: PoolOptions): Promise<void> {
  const waiting = [...jobs];
  const runLane = async () => {
    let worker: Worker | undefined;
    for (
      let job = pickNextJob(waiting, worker);
      job && !options.signal?.aborted;
      job = pickNextJob(waiting, worker)
    ) {
      if (worker && (job.home !== worker.home || job.isAlone || worker.left === 0))
        worker = endWorker(worker);
      worker ??= startWorker(job.home, options.environmentOf(job.home));
      const begin = performance.now();
      const { outcome, where } = await runJob(worker, job, options);
      if (options.signal?.aborted) options.onInterrupt?.(job, where);
      else options.onEnd(job, outcome, performance.now() - begin);
      worker.left--;
      if (job.isAlone || !worker.child.connected) worker = endWorker(worker);
    }
    if (worker) endWorker(worker);
  };
  await Promise.all(Array.from({ length: Math.min(options.lanes ?? maxProcesses, jobs.length) }, runLane));
}

/**
 * Removes and returns the first job that the worker process can run. If there is none, takes the first job.
 */
function pickNextJob(waiting: Job[], worker: Worker | undefined): Job | undefined {
  const fits = worker ? waiting.findIndex(({ home, isAlone }) => home === worker.home && !isAlone) : 0;
  return waiting.splice(Math.max(0, fits), 1)[0];
}

function startWorker(home: DatabaseSetupName, environment: Record<string, string>): Worker {
  const child = fork(join(import.meta.dirname, 'worker.ts'), {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const killChild = () => child.kill('SIGTERM');
  process.once('exit', killChild);
  child.once('exit', () => process.removeListener('exit', killChild));
  return { home, child, left: maxFilesPerProcess };
}

function endWorker({ child }: Worker): undefined {
  if (child.connected) child.disconnect();
}

async function runJob(
  { child }: Worker,
  { file, tier }: Job,
  { grep, signal, limits = tier === 'torture' ? tortureLimits : usualLimits }: PoolOptions,
): Promise<{ outcome: Outcome; where: string }> {
  const order: WorkerOrder = { file, grep, timeoutMs: limits.testMs };
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  let place: TestProgress = { where: 'before its first test', isBetween: false };
  let isLate = false;
  const soFar = { failures: [] as string[], text: '' };
  const onMessage = ({ place: newPlace, failure, text = '', outcome }: WorkerMessage) => {
    place = newPlace ?? place;
    if (failure !== undefined) soFar.failures.push(failure);
    soFar.text += text;
    if (outcome) resolve(outcome);
  };
  // The event 'exit' may come before the last messages of the process; 'close' always comes after them.
  const onClose = (code: number | null, signal: string | null) => {
    const reason = isLate
      ? describeTimeout(place, limits)
      : `its process ended with ${code ?? signal} ${place.where}`;
    resolve(createBrokenOutcome(reason, soFar));
  };
  let killTimer: NodeJS.Timeout | undefined;
  const stopChild = () => {
    child.kill('SIGTERM');
    killTimer ??= setTimeout(() => child.kill('SIGKILL'), limits.killMs);
  };
  const timer = setTimeout(() => {
    isLate = true;
    stopChild();
  }, limits.fileMs);
  child.on('message', onMessage).on('close', onClose);
  signal?.addEventListener('abort', stopChild);
  try {
    child.send(order);
    return { outcome: await promise, where: place.where };
  } finally {
    child.off('message', onMessage).off('close', onClose);
    signal?.removeEventListener('abort', stopChild);
    clearTimeout(timer);
    clearTimeout(killTimer);
  }
}

function describeTimeout({ where, isBetween }: TestProgress, { fileMs }: Limits): string {
  const hint = isBetween ? ': a timer, a server or a connection is left that keeps its event loop alive' : '';
  return `it did not end within ${fileMs / 1000} s and was stopped ${where}${hint}`;
}

function createBrokenOutcome(
  reason: string,
  { failures, text }: Pick<Outcome, 'failures' | 'text'>,
): Outcome {
  return {
    ...emptyOutcome(),
    failed: failures.length + 1,
    failures: [...failures, reason],
    text: `${text}✖ ${reason}\n`,
  };
}
