/** System calls of a running process that fail, by strace: as a disk that gives out lets them fail. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface FailingCalls {
  /** They work again. */
  end(): Promise<void>;
}

interface FailingCallOptions {
  /** `fsync,fdatasync` */
  calls: string;
  /** `3`: the third; `3+2`: every second from there on; undefined: all. */
  when?: string;
  /** Only those on this file. */
  path?: string;
}

const maxTries = 200;

/** Undefined, or why it cannot be done here. */
export function findFailCallsObstacle(): string | undefined {
  const { status } = spawnSync('strace', ['-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true']);
  return status === 0 ? undefined : 'strace is not here, or may not trace';
}

/** From when it resolves. A server must be started with `UV_USE_IO_URING=0`, which would do these things unseen. */
export async function failCalls(
  pid: number,
  { calls, when, path }: FailingCallOptions,
): Promise<FailingCalls> {
  const inject = `inject=${calls}:error=EIO${when === undefined ? '' : `:when=${when}`}`;
  const only = path === undefined ? [] : ['-P', path];
  const args = [
    '-f',
    '-qq',
    '-o',
    '/dev/null',
    '-p',
    String(pid),
    ...only,
    '-e',
    `trace=${calls}`,
    '-e',
    inject,
  ];
  const strace = spawn('strace', args, { stdio: 'ignore' });
  const killTracer = () => strace.kill('SIGKILL');
  process.once('exit', killTracer);
  const ended = once(strace, 'exit').then(() => process.removeListener('exit', killTracer));
  await waitUntilTraced(pid);
  return {
    async end() {
      // It lets go of the process, which goes on.
      strace.kill('SIGINT');
      await ended;
    },
  };
}

/** All of its threads, of which some are begun later. */
async function waitUntilTraced(pid: number): Promise<void> {
  for (let left = maxTries; left > 0; left--) {
    const tasks = readdirSync(`/proc/${pid}/task`);
    if (tasks.every((task) => isTraced(pid, task))) return;
    await pause(20);
  }
  throw new Error(`strace did not attach to ${pid}`);
}

function isTraced(pid: number, task: string): boolean {
  try {
    return /^TracerPid:\s+[1-9]/m.test(readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8'));
  } catch {
    // It has ended.
    return true;
  }
}
