/** Starts a server in another process, sends load to it, and reads its resource usage. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import autocannon from 'autocannon';

export interface Server {
  url: string;
  /** Milliseconds from the start of the process until the server listens. */
  startMs: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

export interface Usage {
  cpuMicros: number;
  /** CPU microseconds of this server's picture workers. */
  workerMicros: number;
  rssMb: number;
  /** Peak memory since the start, in megabytes. */
  peakMb: number;
  /** Peak memory of the picture workers that exist now, in megabytes. */
  workerPeakMb: number;
}

/**
 * Starts a server with the arguments of bench/child.ts. The server writes its log, and the output is
 * discarded.
 */
export async function startServer(...args: string[]): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'child.ts'), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ready = await waitForAnswer<{ url: string; startMs: number }>(child);
  return {
    ...ready,
    usage() {
      child.send('usage');
      return waitForAnswer<Usage>(child);
    },
    async stop() {
      child.send('stop');
      await once(child, 'exit');
    },
  };
}

/** Returns the next message of the child. Throws if the child exits first. */
export async function waitForAnswer<Answer>(child: ChildProcess): Promise<Answer> {
  const settled = new AbortController();
  const ended = once(child, 'exit', { signal: settled.signal }).then(() => {
    throw new Error('the server ended');
  });
  try {
    const [answer] = (await Promise.race([once(child, 'message', { signal: settled.signal }), ended])) as [
      Answer,
    ];
    return answer;
  } finally {
    ended.catch(() => {});
    settled.abort();
  }
}

export interface Load {
  /** A fixed path, or a function that returns the path of each request. */
  path: string | (() => string);
  headers?: Record<string, string>;
  requests?: number;
}

/** Returns the server's CPU microseconds of one request. Throws unless every response is 2xx. */
export async function cpuPerRequest(
  server: Server,
  { path, headers = {}, requests = 6000 }: Load,
): Promise<number> {
  await send(server, { path, headers, requests: Math.ceil(requests / 4) });
  const before = await server.usage();
  await send(server, { path, headers, requests });
  const after = await server.usage();
  return (after.cpuMicros - before.cpuMicros) / requests;
}

async function send(server: Server, { path, headers, requests }: Required<Load>): Promise<void> {
  const target =
    typeof path === 'string'
      ? { url: server.url + path }
      : {
          url: server.url,
          requests: [
            {
              setupRequest: (request: autocannon.Request): autocannon.Request => ({
                ...request,
                path: path(),
              }),
            },
          ],
        };
  const result = await autocannon({ ...target, headers, amount: requests, connections: 10 });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} answers were not 2xx`);
}

/** Returns the median and the worst milliseconds of single requests, one after the other. */
export async function latencies(
  server: Server,
  path: string,
  headers: Record<string, string> = {},
  rounds = 15,
) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const response = await fetch(server.url + path, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  return { median: times[Math.floor(rounds / 2)]!, worst: times.at(-1)! };
}

export function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
