/** Reads memory and CPU use of a process from the operating system. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

export interface ProcessUsage {
  /** Resident memory of the process in bytes. */
  memory: number;
  /** CPU time of the process in seconds, over all threads. */
  cpu: number;
}

/**
 * Returns the memory and CPU time of a process. Undefined if the process has ended or the system has no such
 * information.
 */
export async function readProcessUsage(pid: number): Promise<ProcessUsage | undefined> {
  if (process.platform === 'linux') return readProc(pid);
  return process.platform === 'win32' ? undefined : await askPs(pid);
}

/**
 * Returns the process ids from the started process down to the working one. In a namespace the only child of the first
 * process does the work.
 */
export function listProcessChain(pid: number): number[] {
  const [child, ...others] = listChildren(pid);
  return child === undefined || others.length > 0 ? [pid] : [pid, ...listProcessChain(child)];
}

/**
 * Whether a process of the chain has started another process. In a namespace all processes stay children of the chain.
 * Without a namespace, a process that has left its parent is not found.
 */
export function hasOtherProcesses(chain: number[]): boolean {
  const last = chain.at(-1)!;
  return chain.some((pid, index) => {
    const threads = pid === last ? listThreads(pid) : [pid];
    return threads.some((thread) => listChildren(pid, thread).some((child) => child !== chain[index + 1]));
  });
}

function listThreads(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

function listChildren(pid: number, thread = pid): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

/**
 * Returns the bytes that a process has written so far, including to unnamed files. Undefined if the system does not
 * tell, e.g. in a container whose root may not inspect other users' processes.
 */
export function readWrittenBytes(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/io`, 'utf8');
    const of = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    return Math.max(of('wchar'), of('write_bytes'));
  } catch {
    return undefined;
  }
}

/** Clock ticks per second in which Linux reports CPU time to programs, whatever its internal clock rate. */
const ticksPerSecond = 100;

function readProc(pid: number): ProcessUsage | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may contain spaces, the 12th and 13th fields are the CPU times of the process's threads.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return kilobytes === undefined
      ? undefined
      : { memory: Number(kilobytes) * 1024, cpu: ticks / ticksPerSecond };
  } catch {
    return undefined;
  }
}

/** Parses the output of `ps`, e.g. `  61234   0:01.25`: memory in KB, and CPU time with optional hours and days. */
async function askPs(pid: number): Promise<ProcessUsage | undefined> {
  const asked = promisify(execFile)('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
  const { stdout } = await asked.catch(() => ({ stdout: '' }));
  const [kilobytes, time] = stdout.trim().split(/\s+/);
  if (!kilobytes || !time) return undefined;
  const cpu = time.split(/[-:]/).reduce((seconds, part) => seconds * 60 + Number(part), 0);
  return { memory: Number(kilobytes) * 1024, cpu };
}
