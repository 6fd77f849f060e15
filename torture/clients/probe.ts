/**
 * An honest client during attacks, in its own thread, because an attacker's busy event loop would count as
 * the server's. The thread requests a list, a detail, a thumbnail and the health in turn, from a separate
 * IP address. On any message the thread reports its results since the last message. A request that fails or
 * exceeds `patience` counts as lost.
 */
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface ProbeData {
  host: string;
  port: number;
  paths: string[];
}

/** Results since the last message; times are in milliseconds. */
export interface ProbeResult {
  asked: number;
  lost: string[];
  median: number;
  p99: number;
}

const patienceMs = 10_000;
const betweenMs = 10;
const { host, port, paths } = workerData as ProbeData;
const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.9' });
let times: number[] = [];
let lost: string[] = [];

parentPort!.on('message', () => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  parentPort!.postMessage({
    asked: times.length,
    lost,
    median: at(0.5),
    p99: at(0.99),
  } satisfies ProbeResult);
  times = [];
  lost = [];
});

for (let n = 0; ; n++) {
  const path = paths[n % paths.length]!;
  const start = performance.now();
  const status = await ask(path).catch((error: Error) => error.message);
  times.push(performance.now() - start);
  if (status !== 200) lost.push(`${path} ${status}`);
  await pause(betweenMs);
}

function ask(path: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const request = get({ host, port, path, agent, signal: AbortSignal.timeout(patienceMs) }, (answer) => {
    answer
      .on('error', reject)
      .on('end', () => resolve(answer.statusCode))
      .resume();
  });
  request.on('error', reject);
  return promise;
}
