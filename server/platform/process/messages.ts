/**
 * Messages between the workers and the primary process: shared rate limits, metrics of all workers, and the setup code
 * that the primary prints.
 */
import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { errors } from '../errors/catalogue.ts';

const figuresQuestion = 'lightwell: figures of all workers';
const timeoutMs = 6000;

interface Figures {
  type: typeof figuresQuestion;
  id: number;
  /** Metrics of all workers in the response. Undefined if a worker did not send its metrics in time. */
  text?: string;
}

/** Answers the messages of the workers. Runs in the primary process. */
export function answerWorkerMessages(): void {
  new RateLimiterClusterMaster();
  const registry = new AggregatorRegistry();
  cluster.on('message', async (worker, message: Figures) => {
    if (message?.type !== figuresQuestion) return;
    const text = await registry.clusterMetrics().catch(() => undefined);
    if (worker.isConnected()) worker.send({ ...message, text });
  });
}

/**
 * Returns a function that collects the metrics of all workers as text. The function throws `busy` when a worker does
 * not send its metrics in time.
 */
export function createCollectMetrics(own: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => own.metrics();
  AggregatorRegistry.setRegistries([own]);
  // The constructor of AggregatorRegistry adds the listener for the primary's requests.
  new AggregatorRegistry();
  const waiting = new Map<number, (text: string | undefined) => void>();
  let lastId = 0;
  process.on('message', (message: Figures) => {
    if (message?.type === figuresQuestion) waiting.get(message.id)?.(message.text);
  });

  return async () => {
    const id = ++lastId;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    waiting.set(id, resolve);
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    process.send!({ type: figuresQuestion, id } satisfies Figures);
    const text = await promise;
    clearTimeout(timer);
    waiting.delete(id);
    if (text === undefined)
      throw errors.busy({ message: 'A worker process does not send its metrics', retryAfter: 5 });
    return text;
  };
}

const setupMessage = 'lightwell: setup';

interface SetupMessage {
  type: typeof setupMessage;
  code: string;
}

/** Sends the code of the setup link from the first worker to the primary process, which prints it. */
export function sendSetupCode(code: string): void {
  process.send!({ type: setupMessage, code } satisfies SetupMessage);
}

/**
 * Receives the setup code of `worker` in the primary process. The returned function returns undefined until the code
 * has arrived.
 */
export function receiveSetupCode(worker: Worker): () => string | undefined {
  let code: string | undefined;
  worker.on('message', (message: SetupMessage) => {
    if (message?.type === setupMessage) code = message.code;
  });
  return () => code;
}
