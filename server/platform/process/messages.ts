/**
 * What workers ask of the primary: to count for all of them, and the figures of all of them; and what the first one tells
 * it to print.
 */
import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { errors } from '../errors/catalogue.ts';

const question = 'lightwell: figures of all workers';
const timeoutMs = 6000;

interface Figures {
  type: typeof question;
  id: number;
  /** In the answer; undefined where a worker did not tell its figures in time. */
  text?: string;
}

/** In the primary. */
export function answerWorkers(): void {
  new RateLimiterClusterMaster();
  const registry = new AggregatorRegistry();
  cluster.on('message', async (worker, message: Figures) => {
    if (message?.type !== question) return;
    const text = await registry.clusterMetrics().catch(() => undefined);
    if (worker.isConnected()) worker.send({ ...message, text });
  });
}

/** The figures of all workers, of which this may be one. Throws busy when one of them does not tell its own. */
export function createFigures(own: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => own.metrics();
  AggregatorRegistry.setRegistries([own]);
  // Its making is what listens to the primary's questions.
  new AggregatorRegistry();
  const waiting = new Map<number, (text: string | undefined) => void>();
  let lastId = 0;
  process.on('message', (message: Figures) => {
    if (message?.type === question) waiting.get(message.id)?.(message.text);
  });

  return async () => {
    const id = ++lastId;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    waiting.set(id, resolve);
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    process.send!({ type: question, id } satisfies Figures);
    const text = await promise;
    clearTimeout(timer);
    waiting.delete(id);
    if (text === undefined)
      throw errors.busy({ message: 'A worker does not tell its figures', retryAfter: 5 });
    return text;
  };
}

const setupMessage = 'lightwell: setup';

interface SetupMessage {
  type: typeof setupMessage;
  code: string;
}

/** In the first worker: the code of the one-time link, which the primary prints. */
export function tellSetup(code: string): void {
  process.send!({ type: setupMessage, code } satisfies SetupMessage);
}

/** In the primary: what `worker` told; undefined so far. */
export function hearSetup(worker: Worker): () => string | undefined {
  let code: string | undefined;
  worker.on('message', (message: SetupMessage) => {
    if (message?.type === setupMessage) code = message.code;
  });
  return () => code;
}
