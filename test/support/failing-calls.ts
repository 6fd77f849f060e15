/** Makes system calls of a running process fail with strace, like a failing disk does. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface FailingCalls {
  /** Stops the failures, so that the calls work again. */
  end(): Promise<void>;
}

interface FailingCallOptions {
  /** Names of the system calls, such as `fsync,fdatasync`. */
  calls: string;
  /**
   * Selects the calls that fail: `3` is the third, `3+2` is every second call from the third on. Undefined:
   * all calls fail.
   */
  when?: string;
  /** Only calls on this file fail. */
  path?: string;
}

const maxTries = 200;

/** Returns the reason why system calls cannot be made to fail on this machine, or undefined. */
export function findFailCallsObstacle(): string | undefined {
  const { status } = spawnSync('strace', ['-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true']);
  return status === 0 ? undefined : 'strace is not here, or may not trace';
}

/**
 * Makes calls fail from the moment this promise resolves. The server must run with `UV_USE_IO_URING=0`,
 * because strace cannot see calls of io_uring.
 */
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
      // On SIGINT strace detaches from the process, which continues to run.
      strace.kill('SIGINT');
      await ended;
    },
  };
}

/** Waits until strace traces all threads of the process, because some threads start later. */
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
    // Returns true for a thread that has ended.
    return true;
  }
}
