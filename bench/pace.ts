/**
 * Measures the speed of the machine, compared with the machine where limits in milliseconds were set. Bare
 * Fastify took 15 µs of CPU there for the bytes of a list. A busy machine may need twice as much, so limits
 * grow in proportion.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLoad } from './burst.ts';
import { median, startServer } from './measure.ts';

/** CPU microseconds of bare Fastify on the machine where the limits were set. */
const bareThere = 15;
const listBytes = 12_000;
const connections = 10;
const warmUp = 3000;
const perBurst = 300;
const bursts = 5;

export interface Pace {
  /**
   * Returns how many times slower this machine is, at least 1. The measurement takes a few hundredths of a
   * second.
   */
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

  /** New connections each time, because the server closes connections that are idle for long. */
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

/**
 * Returns the slowness for a measured CPU time of bare Fastify. A faster machine has the same limits, so the
 * result is at least 1.
 */
export function computeSlowness(bareMicros: number): number {
  return Math.max(1, bareMicros / bareThere);
}
