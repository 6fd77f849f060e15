/** Runs the real server in a separate process, so that tests can measure, stop and kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface ServerProcess {
  /** URL of the server, `http://127.0.0.1:port`. */
  url: string;
  pid: number;
  /** Returns everything that the server has printed. */
  output(): string;
  /** Returns the peak resident memory in bytes, or undefined on a system that does not report it. */
  peakMemory(): number | undefined;
  /** Sends the signal. Resolves with the exit code or the signal when the process has ended. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

export interface ServerOptions {
  dataDir: string;
  environment?: Record<string, string>;
  /** Seconds by which the server's clock is ahead. */
  later?: number;
  /** A file with the seconds by which the clock is ahead. The server follows changes of the file. */
  laterFile?: string;
  /** Replacement delays of the server's timers in milliseconds, by their original delay. */
  sooner?: Record<number, number>;
  /** Called with the server's whole output so far, after each new output. */
  onOutput?: (output: string) => void;
  /**
   * Called with the process id as soon as the process exists, so that a test can kill the server during its
   * start.
   */
  onSpawn?: (pid: number) => void;
  /** A program with its arguments that starts the server, such as `['strace', '-f']`. */
  under?: string[];
}

const startTimeoutMs = 60_000;
const maxDrainMs = 2000;
const mainScript = resolve(import.meta.dirname, '../../server/main.js');

/** Resolves when the server listens. Rejects with the server's output if the server ends before. */
export async function startServer({
  dataDir,
  environment = {},
  later = 0,
  laterFile,
  sooner = {},
  onOutput,
  onSpawn,
  under = [],
}: ServerOptions): Promise<ServerProcess> {
  const [program, ...args] = [...under, process.execPath, mainScript];
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT: '0',
    UPLOAD_RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    ...createClockEnvironment(later, sooner, laterFile),
    ...environment,
  };
  const child = spawn(program!, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: under.length > 0,
  });
  if (child.pid !== undefined) onSpawn?.(child.pid);
  // Kills the server when this process exits, so that no server outlives interrupted tests.
  const killServer = () => sendSignal(child, under, 'SIGKILL');
  process.once('exit', killServer);
  const closed = once(child, 'close');
  const exited = once(child, 'exit').then(async ([code, signal]) => {
    process.removeListener('exit', killServer);
    // The last output may arrive after the server's end. A worker that outlives the server keeps the pipe
    // open.
    await Promise.race([closed, pause(maxDrainMs, undefined, { ref: false })]);
    return (code ?? signal) as number | NodeJS.Signals;
  });

  let output = '';
  let hasFound = false;
  const { promise: listening, resolve: found, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error(`the server did not start:\n${output}`)), startTimeoutMs);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      onOutput?.(output);
      // Searches the output only until the URL is found, because a log may be long.
      if (hasFound) return;
      const port = /^ {2}Gallery +http:\/\/localhost:(\d+)$/m.exec(output)?.[1];
      if (!port) return;
      hasFound = true;
      found(`http://127.0.0.1:${port}`);
    });
  }
  exited.then((code) => reject(new Error(`the server ended with ${code}:\n${output}`)));
  try {
    const url = await listening;
    const pid = under.length > 0 ? findOnlyChild(child.pid!) : child.pid!;
    return {
      url,
      pid,
      output: () => output,
      peakMemory: () => readPeakMemory(pid),
      async end(signal) {
        if (child.exitCode === null && child.signalCode === null) process.kill(pid, signal);
        return exited;
      },
    };
  } catch (error) {
    killServer();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function createClockEnvironment(
  later: number,
  sooner: Record<number, number>,
  laterFile: string | undefined,
): Record<string, string> {
  const pairs = Object.entries(sooner);
  if (later === 0 && pairs.length === 0 && laterFile === undefined) return {};
  return {
    NODE_OPTIONS: `--import=${resolve(import.meta.dirname, 'later.js')}`,
    LATER: String(later),
    ...(laterFile !== undefined && { LATER_FILE: laterFile }),
    SOONER: JSON.stringify(pairs.map(([ms, instead]) => [Number(ms), instead])),
  };
}

function sendSignal(child: ChildProcess, under: string[], signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  // Signals the whole process group, because a tracing program leaves its target running when it is killed.
  process.kill(under.length > 0 ? -child.pid : child.pid, signal);
}

function findOnlyChild(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}

/**
 * Returns the peak resident memory of a process in bytes, or undefined on a system that does not report it.
 */
export function readPeakMemory(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
