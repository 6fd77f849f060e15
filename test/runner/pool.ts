/** Runs jobs in a few processes, each of which takes one file after the other. */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { HomeName, Job } from './jobs.ts';
import type { Order, Outcome, Report } from './worker.ts';

export interface PoolOptions {
  environmentOf(home: HomeName): Record<string, string>;
  /** Only tests with such a name. */
  grep: string | undefined;
  /** How many run side by side. */
  lanes?: number;
  onEnd(job: Job, outcome: Outcome, ms: number): void;
}

/** More than there are cores: many tests wait, for a time limit, a lock, or a process that starts. */
const processes = availableParallelism() + 2;
const fileTimeoutMs = 300_000;
/** Shorter than the file's: the test that hung is named, and the other tests of its file run. */
const testTimeoutMs = 240_000;
/** A process that grew old is replaced: what a test leaves behind does not pile up. */
const filesOfProcess = 40;

interface Worker {
  home: HomeName;
  child: ChildProcess;
  left: number;
}

export async function runJobs(jobs: Job[], options: PoolOptions): Promise<void> {
  const waiting = [...jobs];
  const lane = async () => {
    let worker: Worker | undefined;
    for (let job = next(waiting, worker); job; job = next(waiting, worker)) {
      if (worker && (job.home !== worker.home || job.isAlone || worker.left === 0)) worker = end(worker);
      worker ??= start(job.home, options.environmentOf(job.home));
      const begin = performance.now();
      const outcome = await runJob(worker, job, options.grep);
      options.onEnd(job, outcome, performance.now() - begin);
      worker.left--;
      if (job.isAlone || !worker.child.connected) worker = end(worker);
    }
    if (worker) end(worker);
  };
  await Promise.all(Array.from({ length: Math.min(options.lanes ?? processes, jobs.length) }, lane));
}

/** The first that the process can run; otherwise the first of all. */
function next(waiting: Job[], worker: Worker | undefined): Job | undefined {
  const fits = worker ? waiting.findIndex(({ home, isAlone }) => home === worker.home && !isAlone) : 0;
  return waiting.splice(Math.max(0, fits), 1)[0];
}

function start(home: HomeName, environment: Record<string, string>): Worker {
  const child = fork(join(import.meta.dirname, 'worker.ts'), {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const kill = () => child.kill('SIGTERM');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  return { home, child, left: filesOfProcess };
}

function end({ child }: Worker): undefined {
  if (child.connected) child.disconnect();
}

async function runJob({ child }: Worker, { file }: Job, grep: string | undefined): Promise<Outcome> {
  const order: Order = { file, grep, timeoutMs: testTimeoutMs };
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  let running = '';
  const onMessage = ({ started, outcome }: Report) => {
    if (started !== undefined) running = started;
    if (outcome) resolve(outcome);
  };
  const onExit = (code: number | null, signal: string | null) =>
    resolve(broken(`the process of ${file} ended with ${code ?? signal}; the last test was "${running}"`));
  const timer = setTimeout(() => child.kill('SIGTERM'), fileTimeoutMs);
  child.on('message', onMessage).on('exit', onExit);
  try {
    child.send(order);
    return await promise;
  } finally {
    child.off('message', onMessage).off('exit', onExit);
    clearTimeout(timer);
  }
}

function broken(what: string): Outcome {
  return { passed: 0, failed: 1, skipped: 0, failures: [what], text: `✖ ${what}\n`, cpuMs: 0 };
}
