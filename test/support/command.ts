/** Runs the command line like an operator, on the database and storage of a gallery that may be in use. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { GalleryLocation } from '../../server/tools/transfer/gallery-location.ts';
import type { CommandOrder } from './command-host.ts';
import type { Gallery } from './harness.ts';
import { s3Environment } from './s3.ts';

const cliPath = resolve(import.meta.dirname, '../../server/cli.ts');

export interface CommandOutcome {
  code: number;
  out: string;
  err: string;
  /** Standard error of the command, without the last line break. */
  error: string;
}

/** Runs `lightwell …` with this standard input, in a process that also runs other commands. */
export function runLightwell(gallery: Gallery, args: string[], input = ''): Promise<CommandOutcome> {
  return runCommand(createEnvironment(gallery.deps.config), args, { input });
}

/** Runs `lightwell …` in a separate process. */
export function runLightwellProcess(gallery: Gallery, args: string[], input = ''): Promise<CommandOutcome> {
  return spawnCommand(createEnvironment(gallery.deps.config), args, { input });
}

interface SpawnOptions {
  input?: string;
  /** Seconds by which the command's clock is ahead. */
  later?: number;
  /** A program with its arguments that starts the command, such as the program of a memory group. */
  under?: string[];
  /** Called with the id of the new process, or of the program that starts it. */
  onSpawn?: (pid: number) => void;
}

/** Runs a command in a separate process with the given settings. */
export async function spawnCommand(
  environment: Record<string, string>,
  args: string[],
  { input = '', later = 0, under = [], onSpawn }: SpawnOptions = {},
): Promise<CommandOutcome> {
  const clock = {
    NODE_OPTIONS: `--import=${resolve(import.meta.dirname, 'later.js')}`,
    LATER: String(later),
  };
  const env = { PATH: process.env.PATH ?? '', ...environment, ...(later > 0 && clock) };
  const [program, ...rest] = [...under, process.execPath, cliPath, ...args];
  const child = spawn(program!, rest, { env });
  if (child.pid !== undefined) onSpawn?.(child.pid);
  child.stdin.end(input);
  const ended = new Promise<ProcessEnding>((found) =>
    child.on('close', (code, signal) =>
      found({ code: code ?? -1, how: signal ? describeSignal(signal) : '' }),
    ),
  );
  const [out, err, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return createOutcome(end, out, err);
}

interface ProcessEnding {
  code: number;
  /** Describes the end of the process, if the process did not exit by itself. Empty otherwise. */
  how: string;
}

function describeSignal(signal: string): string {
  return `its process was ended by ${signal}`;
}

/** Returns the outcome of a command. If the process was killed, the error text of the outcome says so. */
function createOutcome({ code, how }: ProcessEnding, out: string, err: string): CommandOutcome {
  const all = how === '' ? err : `${err}${err === '' || err.endsWith('\n') ? '' : '\n'}${how}\n`;
  return { code, out, err: all, error: all.trim() };
}

interface StartOptions {
  /**
   * Milliseconds that the command's SQLite waits for a lock. After that, the command prints a line (busy.js).
   */
  busyTimeoutMs?: number;
}

/** Starts a command that the test kills or waits for. */
export function startLightwell(gallery: Gallery, args: string[], { busyTimeoutMs }: StartOptions = {}) {
  const env = createEnvironment(gallery.deps.config);
  if (busyTimeoutMs !== undefined) {
    env.NODE_OPTIONS = `--import=${resolve(import.meta.dirname, 'busy.js')}`;
    env.BUSY_TIMEOUT = String(busyTimeoutMs);
  }
  return spawn(process.execPath, [cliPath, ...args], { env });
}

/** Returns the environment variables for a gallery location. */
export function createEnvironment({
  dataDir,
  databaseUrl,
  storageUrl,
}: Pick<GalleryLocation, 'dataDir' | 'databaseUrl' | 'storageUrl'>): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...(storageUrl && s3Environment(storageUrl)),
  };
}

/** A NUL character marks the end of a command's output, because no command prints one. */
const endMark = '\0';

/** Processes that wait for the next command. */
const idleHosts: ChildProcess[] = [];

/** Runs a command in a process that has run other commands before, and that runs only this command now. */
export async function runCommand(
  environment: Record<string, string>,
  args: string[],
  { input = '', later = 0 } = {},
): Promise<CommandOutcome> {
  const host = idleHosts.pop() ?? startHost();
  setReferenced(host, true);
  // Ends the listeners of this command, because the process runs many commands.
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    const order: CommandOrder = { args, environment, input, later, mark: endMark };
    host.send(order);
    const ended = Promise.race<ProcessEnding>([
      once(host, 'message', { signal }).then(([code]) => ({ code, how: '' })),
      once(host, 'exit', { signal }).then(([code, by]) => ({
        code: code ?? -1,
        how: by ? describeSignal(by) : `its process ended with ${code} before the command did`,
      })),
    ]);
    const said = [readUntilMark(host.stdout!), readUntilMark(host.stderr!)] as const;
    const [end, out, err] = await Promise.all([ended, ...said]);
    if (host.connected) idleHosts.push(host);
    return createOutcome(end, out, err);
  } finally {
    waiting.abort();
    setReferenced(host, false);
  }
}

function startHost(): ChildProcess {
  const host = fork(resolve(import.meta.dirname, 'command-host.ts'), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const killHost = () => host.kill('SIGKILL');
  process.once('exit', killHost);
  host.once('exit', () => process.removeListener('exit', killHost));
  for (const stream of [host.stdout!, host.stderr!]) stream.setEncoding('utf8');
  return host;
}

/** Lets the test file end while the process waits for commands, and not while a command runs. */
function setReferenced(host: ChildProcess, isNeeded: boolean): void {
  const streams = [host.stdout, host.stderr] as unknown as { ref(): void; unref(): void }[];
  for (const part of [host, host.channel!, ...streams]) isNeeded ? part?.ref() : part?.unref();
}

/** Reads until a command's output ends, or until the process closes the stream. */
function readUntilMark(stream: Readable): Promise<string> {
  const { promise, resolve: found } = Promise.withResolvers<string>();
  let said = '';
  const finishReading = () => {
    stream.off('data', addChunk).off('end', finishReading);
    found(said);
  };
  const addChunk = (chunk: string) => {
    said += chunk;
    if (!said.endsWith(endMark)) return;
    said = said.slice(0, -endMark.length);
    finishReading();
  };
  stream.on('data', addChunk).on('end', finishReading);
  return promise;
}
