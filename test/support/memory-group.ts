/** A control group with a memory limit, for a server that a test starts in the group. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MemoryGroup {
  /** The program that starts another program inside the group, for `startServer({ under })`. */
  under: string[];
  /** Returns the number of processes that the kernel has killed because the group reached its limit. */
  kills(): number;
  /** Returns the peak memory in bytes of processes and file cache together, which the limit applies to. */
  peak(): number;
  /**
   * Returns the current memory in bytes of the group's processes, without the file cache, which the system
   * can free.
   */
  held(): number;
  /** Returns the ids of the processes in the group. */
  processes(): number[];
  /** Removes the group after its processes have ended. */
  remove(): void;
}

const cgroupRoot = '/sys/fs/cgroup';

/**
 * Creates a memory group. Returns undefined if the machine does not allow groups, for the reason in
 * `skipped`.
 */
export function createMemoryGroup(bytes: number): MemoryGroup | undefined {
  return createVersion1(bytes) ?? createVersion2(bytes);
}

export const skipReason = 'control groups of memory cannot be made here';

/** Creates a group with version 1 of the control groups. */
function createVersion1(bytes: number): MemoryGroup | undefined {
  const own = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  if (own === undefined) return undefined;
  const names = {
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
    kills: 'memory.oom_control',
    held: 'total_rss',
  };
  return createInFolder(join(cgroupRoot, 'memory', own), bytes, names);
}

/** Creates a group with version 2 of the control groups. */
function createVersion2(bytes: number): MemoryGroup | undefined {
  const own = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  if (own === undefined) return undefined;
  const names = { limit: 'memory.max', peak: 'memory.peak', kills: 'memory.events', held: 'anon' };
  return createInFolder(join(cgroupRoot, own), bytes, names);
}

function createInFolder(
  parent: string,
  bytes: number,
  names: { limit: string; peak: string; kills: string; held: string },
): MemoryGroup | undefined {
  const path = join(parent, `lightwell-test-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    mkdirSync(path);
  } catch {
    return undefined;
  }
  try {
    writeFileSync(join(path, names.limit), String(bytes));
  } catch {
    rmdirSync(path);
    return undefined;
  }
  const procs = join(path, 'cgroup.procs');
  const readSetting = (name: string) => readFileSync(join(path, name), 'utf8');
  const readNumber = (name: string, field: string) =>
    Number(new RegExp(`^${field} (\\d+)$`, 'm').exec(readSetting(name))?.[1] ?? 0);
  return {
    under: ['sh', '-c', `echo $$ > '${procs}' && "$@"; exit $?`, 'sh'],
    kills: () => readNumber(names.kills, 'oom_kill'),
    peak: () => Number(readSetting(names.peak)),
    held: () => readNumber('memory.stat', names.held),
    processes: () => readSetting('cgroup.procs').split('\n').filter(Boolean).map(Number),
    remove: () => rmdirSync(path),
  };
}
