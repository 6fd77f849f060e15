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
  /** When its processes are gone. */
  remove(): void;
}

const root = '/sys/fs/cgroup';

/** Undefined where groups cannot be made; `skipped` says so. */
export function createMemoryGroup(bytes: number): MemoryGroup | undefined {
  return createFirst(bytes) ?? createSecond(bytes);
}

export const skipped = 'control groups of memory cannot be made here';

/** Version 1. */
function createFirst(bytes: number): MemoryGroup | undefined {
  const own = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  if (own === undefined) return undefined;
  const names = {
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
    kills: 'memory.oom_control',
  };
  return createIn(join(root, 'memory', own), bytes, names);
}

/** Version 2. */
function createSecond(bytes: number): MemoryGroup | undefined {
  const own = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  if (own === undefined) return undefined;
  const names = { limit: 'memory.max', peak: 'memory.peak', kills: 'memory.events' };
  return createIn(join(root, own), bytes, names);
}

function createIn(
  parent: string,
  bytes: number,
  names: { limit: string; peak: string; kills: string },
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
  return {
    under: ['sh', '-c', `echo $$ > '${procs}' && "$@"; exit $?`, 'sh'],
    kills: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(path, names.kills), 'utf8'))?.[1] ?? 0),
    peak: () => Number(readFileSync(join(path, names.peak), 'utf8')),
    remove: () => rmdirSync(path),
  };
}
