/** `--jobs n`: how many at once. */
import { InvalidArgumentError } from 'commander';

/** Below what the imaging queue takes in line. */
const maxJobs = 32;

export function jobCount(given: string): number {
  const jobs = Number(given);
  if (!/^\d+$/.test(given) || jobs < 1 || jobs > maxJobs) {
    throw new InvalidArgumentError(`must be a whole number from 1 to ${maxJobs}`);
  }
  return jobs;
}
