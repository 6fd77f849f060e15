/** Measures the picture workers of this process. Linux counts their CPU time in steps of 10 ms. */
import { readFileSync } from 'node:fs';
import { readUsage } from '../server/platform/imaging/pool/usage.ts';
import { findPictureWorkers } from '../test/support/picture-workers.ts';
import { readPeakMemory } from '../test/support/server-process.ts';

const ticksPerSecond = 100;

/** Microseconds of CPU time: of the workers whose folders lie in `dataDir`, and of those that have ended. */
export async function workerMicros(dataDir: string): Promise<number> {
  const usages = await Promise.all(findPictureWorkers(dataDir).map(readUsage));
  return (sum(usages.map((usage) => usage?.cpu ?? 0)) + endedSeconds()) * 1e6;
}

/** Megabytes: the sum of the peaks of those that there are. */
export function workerPeakMb(dataDir: string): number {
  return sum(findPictureWorkers(dataDir).map((pid) => readPeakMemory(pid) ?? 0)) / 1e6;
}

/** Counts all children that this process has waited for, and theirs. */
function endedSeconds(): number {
  const text = readFileSync('/proc/self/stat', 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
