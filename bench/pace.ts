/**
 * How fast the machine is, next to the one that limits in milliseconds are from. A bare Fastify that sends a list's
 * bytes took 15 µs of CPU for a request there. The same machine takes twice that while others use it much, so those
 * limits are held in the pace of the moment.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLoad } from './burst.ts';
import { median, startServer } from './measure.ts';

/** Microseconds of CPU. */
const bareThere = 15;
const listBytes = 12_000;
const connections = 10;
const warmUp = 3000;
const perBurst = 300;
const bursts = 5;

export interface Pace {
  /** Times as slow as that machine; at least 1. It takes some hundredths of a second. */
  slowness(): Promise<number>;
  stop(): Promise<void>;
}

export async function openPace(): Promise<Pace> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-pace-'));
  const file = join(folder, 'list.json');
  await writeFile(file, Buffer.alloc(listBytes, 'x'));
  const bare = await startServer('bare', file, 'application/json; charset=utf-8');
  await rm(folder, { recursive: true });
  const createRequest = () => ({ path: '/' });

  /** Opened each time: the server ends connections that are idle for long. */
  async function costs(sizes: number[]): Promise<number[]> {
    const load = await openLoad(bare.url, connections, createRequest);
    const measured: number[] = [];
    for (const size of sizes) {
      const before = (await bare.usage()).cpuMicros;
      await load.burst(size);
      measured.push(((await bare.usage()).cpuMicros - before) / size);
    }
    load.close();
    return measured;
  }

  await costs([warmUp]);
  return {
    async slowness() {
      return computeSlowness(median(await costs(Array.from({ length: bursts }, () => perBurst))));
    },
    stop: () => bare.stop(),
  };
}

/** Of a machine on which bare Fastify takes so many microseconds. A faster one has the same limits. */
export function computeSlowness(bareMicros: number): number {
  return Math.max(1, bareMicros / bareThere);
}
