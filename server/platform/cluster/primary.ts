/**
 * The primary process: starts the workers, distributes connections to them, replaces workers that die, and forwards
 * stop signals. The primary serves no requests; `messages.ts` has the counters that it holds for the workers.
 */
import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { createLog, type LogOptions } from '../operations/log.ts';
import { type GalleryPaths, printWelcome } from '../operations/welcome.ts';
import { answerWorkerMessages, receiveSetupCode } from '../process/messages.ts';

/**
 * Milliseconds until workers that have not stopped are killed. Longer than a worker's own grace period in `serve.ts`.
 */
const stopGraceMs = 30_000;

interface ClusterOptions extends LogOptions, GalleryPaths {
  workers: number;
  host: string;
  stopDelayMs: number;
}

/**
 * Starts and watches the workers. Resolves when all workers listen. Exits with code 1 when the first worker cannot
 * start.
 */
export async function superviseWorkers(options: ClusterOptions): Promise<void> {
  const log = createLog(options);
  answerWorkerMessages();
  const stopping = stopOnSignals(log, options.stopDelayMs);
  // The first worker starts alone: it migrates the schema, and any mistake in the settings is reported once.
  const { address, setup } = await startFirst(log, stopping);
  restartTheDead(log, stopping);
  await startOthers(options.workers - 1, log);
  printWelcome(options, [toAddressInfo(address, options.host)], setup());
}

/**
 * Returns the IP address and port of the first worker, and a function for the code of the setup link, if one was
 * created.
 */
async function startFirst(log: Logger, stopping: AbortSignal) {
  const first = startWorker(log);
  const setup = receiveSetupCode(first);
  first.once('exit', (code) => {
    if (!stopping.aborted) process.exit(code || 1);
  });
  const [address] = (await once(first, 'listening')) as [Address];
  first.removeAllListeners('exit');
  return { address, setup };
}

/** Starts `count` more workers and resolves when all of them listen. Workers that die meanwhile are replaced. */
async function startOthers(count: number, log: Logger): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let missing = count;
  cluster.on('listening', () => {
    if (--missing === 0) resolve();
  });
  for (let number = 0; number < count; number++) startWorker(log);
  await promise;
}

function startWorker(log: Logger): Worker {
  const worker = cluster.fork();
  // Sending a response to a worker that has just died fails. The worker's exit is logged by `restartTheDead`.
  worker.on('error', (error) =>
    log.debug({ err: error, worker: worker.id }, 'cannot send a message to a worker'),
  );
  return worker;
}

/** Starts a new worker for each one that dies. Repeated failures increase the pause before the next start. */
function restartTheDead(log: Logger, stopping: AbortSignal): void {
  const pauseBefore = createBackOff();
  cluster.on('exit', (worker, code, signal) => {
    if (stopping.aborted) return;
    const ms = pauseBefore(performance.now());
    log.error(
      { worker: worker.id, code, signal, restartMs: ms },
      'a worker process exited; starting another one',
    );
    setTimeout(() => {
      if (!stopping.aborted) startWorker(log);
    }, ms);
  });
}

/** Returns a signal that is aborted when the stop begins. */
function stopOnSignals(log: Logger, stopDelayMs: number): AbortSignal {
  const stopping = new AbortController();
  async function stop(signal: NodeJS.Signals): Promise<void> {
    // A second signal is forwarded too, because it makes a worker exit at once.
    for (const worker of listWorkers()) worker.process.kill(signal);
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info({ signal }, 'stopping the worker processes');
    setTimeout(() => {
      for (const worker of listWorkers()) worker.process.kill('SIGKILL');
    }, stopGraceMs + stopDelayMs).unref();
    const areStopped = await Promise.all(listWorkers().map((worker) => hasStopped(worker, signal)));
    process.exit(areStopped.every(Boolean) ? 0 : 1);
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return stopping.signal;
}

/**
 * Waits for the worker to exit, and returns whether it stopped cleanly. A worker that was still starting is ended by
 * the signal itself.
 */
async function hasStopped(worker: Worker, signal: NodeJS.Signals): Promise<boolean> {
  if (!worker.isDead()) await once(worker, 'exit');
  return worker.process.exitCode === 0 || worker.process.signalCode === signal;
}

function listWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

function toAddressInfo({ address, port, addressType }: Address, host: string) {
  return { address: address ?? host, port, family: addressType === 6 ? 'IPv6' : 'IPv4' };
}

const firstMs = 100;
const maxMs = 10_000;
/** Milliseconds without a failure after which the pause starts from `firstMs` again. */
const resetAfterMs = 60_000;

/** Returns a function that returns the milliseconds to wait after a failure at `now`, a time in milliseconds. */
function createBackOff(): (now: number) => number {
  let failures = 0;
  let last = -Infinity;
  return (now) => {
    failures = now - last > resetAfterMs ? 0 : failures + 1;
    last = now;
    return Math.min(maxMs, firstMs * 2 ** failures);
  };
}
