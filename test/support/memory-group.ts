/** A control group with a limit of memory, for a server that a test starts in it. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MemoryGroup {
  /** What starts a program within the group: `startServer({ under })`. */
  under: string[];
  /** Processes that the kernel killed in it because the limit was reached. */
  kills(): number;
  /** Bytes of processes and files together at the worst moment, which the limit bounds. */
  peak(): number;
  /** Bytes of its processes now, without those of files, which the system gives back when they are needed. */
  held(): number;
  /** Ids of the processes in it. */
  processes(): number[];
  /** When its processes are gone. */
  remove(): void;
}

const cgroupRoot = '/sys/fs/cgroup';

/** Undefined where groups cannot be made; `skipped` says so. */
export function createMemoryGroup(bytes: number): MemoryGroup | undefined {
  return createVersion1(bytes) ?? createVersion2(bytes);
}

export const skipReason = 'control groups of memory cannot be made here';

/** Version 1. */
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

/** Version 2. */
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
