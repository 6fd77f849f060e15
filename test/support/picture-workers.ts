/** The processes that decode pictures for a gallery, as the system lists them. */
import { readdirSync, readFileSync } from 'node:fs';

export const linuxOnly = { skip: process.platform !== 'linux' && 'there is no list of processes in /proc' };

/** Process ids of all workers whose folder lies in `dataDir`, and of the programs that start them. */
export function findPictureWorkers(dataDir: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readCommandLine(pid).includes(`${dataDir}/workers/`)).map(Number);
}

/** Empty where the process has just ended. */
function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
