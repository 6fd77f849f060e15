/**
 * The process that starts the workers, hands connections to them, starts another one for each that dies, and tells
 * them all to stop. It serves nothing itself: what it counts for them is in `messages.ts`.
 */
import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { createLog, type LogOptions } from '../operations/log.ts';
import { type GalleryPlaces, printWelcome } from '../operations/welcome.ts';
import { answerWorkers, hearSetup } from '../process/messages.ts';

/** Longer than a worker gives itself to finish what is under way (serve.ts). */
const stopGraceMs = 30_000;

interface ClusterOptions extends LogOptions, GalleryPlaces {
  workers: number;
  host: string;
}

/** Resolves once all workers listen. Exits with 1 when the first one cannot start. */
export async function supervise(options: ClusterOptions): Promise<void> {
  const log = createLog(options);
  answerWorkers();
  const stopping = stopOnSignals(log);
  // One alone first: it brings the schema up to date, and says what is wrong with the settings once.
  const { address, setup } = await startFirst(log, stopping);
  restartTheDead(log, stopping);
  await startOthers(options.workers - 1, log);
  printWelcome(options, [toAddressInfo(address, options.host)], setup());
}

/** Where it listens, and the code of the one-time link, if it made one. */
async function startFirst(log: Logger, stopping: AbortSignal) {
  const first = startWorker(log);
  const setup = hearSetup(first);
  first.once('exit', (code) => {
    if (!stopping.aborted) process.exit(code || 1);
  });
  const [address] = (await once(first, 'listening')) as [Address];
  first.removeAllListeners('exit');
  return { address, setup };
}

/** Resolves when so many listen; those that died on the way have been replaced. */
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
  // An answer to a worker that has just died; its death is told by itself.
  worker.on('error', (error) => log.debug({ err: error, worker: worker.id }, 'a worker was not reached'));
  return worker;
}

/** Of those that die at once, again and again, the next one waits longer and longer. */
function restartTheDead(log: Logger, stopping: AbortSignal): void {
  const pauseBefore = createBackOff();
  cluster.on('exit', (worker, code, signal) => {
    if (stopping.aborted) return;
    const ms = pauseBefore(performance.now());
    log.error({ worker: worker.id, code, signal, restartMs: ms }, 'a worker died; another one is started');
    setTimeout(() => {
      if (!stopping.aborted) startWorker(log);
    }, ms);
  });
}

/** The signal is aborted when a stop begins. */
function stopOnSignals(log: Logger): AbortSignal {
  const stopping = new AbortController();
  async function stop(signal: NodeJS.Signals): Promise<void> {
    // A second signal goes on to the workers, too: there it forces.
    for (const worker of workers()) worker.process.kill(signal);
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info({ signal }, 'stopping the workers');
    setTimeout(() => {
      for (const worker of workers()) worker.process.kill('SIGKILL');
    }, stopGraceMs).unref();
    const areStopped = await Promise.all(workers().map((worker) => hasStopped(worker, signal)));
    process.exit(areStopped.every(Boolean) ? 0 : 1);
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return stopping.signal;
}

/** Waits for its end; whether it was a stop. One that was still starting ends by the signal itself. */
async function hasStopped(worker: Worker, signal: NodeJS.Signals): Promise<boolean> {
  if (!worker.isDead()) await once(worker, 'exit');
  return worker.process.exitCode === 0 || worker.process.signalCode === signal;
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

function toAddressInfo({ address, port, addressType }: Address, host: string) {
  return { address: address ?? host, port, family: addressType === 6 ? 'IPv6' : 'IPv4' };
}

const firstMs = 100;
const maxMs = 10_000;
/** A failure so long ago is forgotten. */
const forgottenAfterMs = 60_000;

/** Returns the milliseconds to wait after a failure at `now`, a time in milliseconds. */
function createBackOff(): (now: number) => number {
  let failures = 0;
  let last = -Infinity;
  return (now) => {
    failures = now - last > forgottenAfterMs ? 0 : failures + 1;
    last = now;
    return Math.min(maxMs, firstMs * 2 ** failures);
  };
}
