/** Measures the picture workers of this process. Linux counts their CPU time in steps of 10 ms. */
import { readFileSync } from 'node:fs';
import { readProcessUsage } from '../server/platform/imaging/pool/usage.ts';
import { findPictureWorkers } from '../test/support/picture-workers.ts';
import { readPeakMemory } from '../test/support/server-process.ts';

const ticksPerSecond = 100;

/** Returns the CPU microseconds of the workers whose folders lie in `dataDir`, and of ended workers. */
export async function workerMicros(dataDir: string): Promise<number> {
  const usages = await Promise.all(findPictureWorkers(dataDir).map(readProcessUsage));
  return (sum(usages.map((usage) => usage?.cpu ?? 0)) + endedSeconds()) * 1e6;
}

/** Returns the sum of the existing workers' peak memory, in megabytes. */
export function workerPeakMb(dataDir: string): number {
  return sum(findPictureWorkers(dataDir).map((pid) => readPeakMemory(pid) ?? 0)) / 1e6;
}

/** Returns the CPU seconds of all child processes that this process has waited for, and of their children. */
function endedSeconds(): number {
  const text = readFileSync('/proc/self/stat', 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
