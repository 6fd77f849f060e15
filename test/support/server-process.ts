/** The real server in a process of its own: to measure it, to stop it, and to kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface ServerProcess {
  /** `http://127.0.0.1:port` */
  url: string;
  pid: number;
  /** Everything that it wrote. */
  output(): string;
  /** Its largest resident memory so far, in bytes; undefined where the system does not tell. */
  peakMemory(): number | undefined;
  /** Sends the signal and resolves when the process is gone, with its exit code or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

export interface ServerOptions {
  dataDir: string;
  environment?: Record<string, string>;
  /** Seconds that its clock is ahead. */
  later?: number;
  /** A file that says so instead, also while it runs. */
  laterFile?: string;
  /** Milliseconds of its timers → those after which they ring instead. */
  sooner?: Record<number, number>;
  /** Told of all that it wrote so far, whenever it wrote more. */
  onOutput?: (output: string) => void;
  /** Told of its process as soon as there is one: to end it while it starts. */
  onSpawn?: (pid: number) => void;
  /** A program that starts the server, with its arguments: `['strace', '-f']`. */
  under?: string[];
}

const startTimeoutMs = 60_000;
const maxDrainMs = 2000;
const mainScript = resolve(import.meta.dirname, '../../server/main.js');

/** Resolves once it listens; rejects with what it wrote when it ends before that. */
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
  // So that no server outlives tests that were interrupted.
  const killServer = () => sendSignal(child, under, 'SIGKILL');
  process.once('exit', killServer);
  const closed = once(child, 'close');
  const exited = once(child, 'exit').then(async ([code, signal]) => {
    process.removeListener('exit', killServer);
    // What it wrote last may arrive after its end; a worker that outlives it keeps the pipe open.
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
      // A long log is not searched again with each line.
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
  // A program that traces another leaves it running when it is killed itself: hence the whole group.
  process.kill(under.length > 0 ? -child.pid : child.pid, signal);
}

function findOnlyChild(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}

/** The largest resident memory that a process has had so far, in bytes; undefined where the system does not tell. */
export function readPeakMemory(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
