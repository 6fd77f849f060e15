import PQueue from 'p-queue';
import { HEAVY_BYTES } from './limits.ts';

const oneAtATime = new PQueue({ concurrency: 1 });

/** Runs `job` now, or when no other heavy one runs if it is to hold `bytes` of memory at once. */
export async function runByWeight<T>(bytes: number, job: () => Promise<T>): Promise<T> {
  return bytes > HEAVY_BYTES ? await oneAtATime.add(job) : await job();
}
