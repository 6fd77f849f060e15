/** `--jobs n`: how many at once. */
import { InvalidArgumentError } from 'commander';

/** Fewer than may wait in the imaging queue. */
const maxJobs = 32;

export function jobCount(given: string): number {
  const jobs = Number(given);
  if (!/^\d+$/.test(given) || jobs < 1 || jobs > maxJobs) {
    throw new InvalidArgumentError(`must be a whole number from 1 to ${maxJobs}`);
  }
  return jobs;
}
