/** Finds the processes that decode pictures for a gallery. */
import { readdirSync, readFileSync } from 'node:fs';

export const linuxOnly = { skip: process.platform !== 'linux' && 'there is no list of processes in /proc' };

/**
 * Returns the process ids of all workers with a folder in `dataDir`, and of the programs that start workers.
 */
export function findPictureWorkers(dataDir: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readCommandLine(pid).includes(`${dataDir}/workers/`)).map(Number);
}

/** Returns the command line of a process, or an empty text if the process has just ended. */
function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
