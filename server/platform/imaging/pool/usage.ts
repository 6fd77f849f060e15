/** Reads from the system what a process uses. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

export interface Usage {
  /** Bytes in memory. */
  memory: number;
  /** Seconds of processor time, of all its threads. */
  cpu: number;
}

/** Undefined where the process has ended, or the system tells nobody. */
export async function readUsage(pid: number): Promise<Usage | undefined> {
  if (process.platform === 'linux') return readProc(pid);
  return process.platform === 'win32' ? undefined : await askPs(pid);
}

/**
 * From the process that was started down to the one that works: in a name space the works are done by the only child of
 * its first process.
 */
export function chainFrom(pid: number): number[] {
  const [child, ...others] = listChildren(pid);
  return child === undefined || others.length > 0 ? [pid] : [pid, ...chainFrom(child)];
}

/**
 * Whether one of such a chain has started another process. In a name space nothing else can be the parent of one; without
 * one, what has left its parent is not seen.
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
 * Bytes that a process has written so far, wherever to: also to files without a name. Undefined where the system does
 * not tell, as in a container whose root may not look into other users' processes.
 */
export function readWritten(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/io`, 'utf8');
    const of = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    return Math.max(of('wchar'), of('write_bytes'));
  } catch {
    return undefined;
  }
}

/** Linux counts in these for programs, whatever it counts in itself. */
const ticksPerSecond = 100;

function readProc(pid: number): Usage | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which may have spaces in it, the 12th and 13th field are the times of its own threads.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return kilobytes === undefined
      ? undefined
      : { memory: Number(kilobytes) * 1024, cpu: ticks / ticksPerSecond };
  } catch {
    return undefined;
  }
}

/** `  61234   0:01.25`: kilobytes, and minutes, perhaps after hours and days. */
async function askPs(pid: number): Promise<Usage | undefined> {
  const asked = promisify(execFile)('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
  const { stdout } = await asked.catch(() => ({ stdout: '' }));
  const [kilobytes, time] = stdout.trim().split(/\s+/);
  if (!kilobytes || !time) return undefined;
  const cpu = time.split(/[-:]/).reduce((seconds, part) => seconds * 60 + Number(part), 0);
  return { memory: Number(kilobytes) * 1024, cpu };
}
