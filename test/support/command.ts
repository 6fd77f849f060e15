/** The command line as a person starts it, on the database and storage of a gallery that may run meanwhile. */
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
  /** What it wrote to standard error, without the last line's end. */
  error: string;
}

/** `lightwell …` with this on its standard input, in a process that runs one command after the other. */
export function runLightwell(gallery: Gallery, args: string[], input = ''): Promise<CommandOutcome> {
  return runCommand(createEnvironment(gallery.deps.config), args, { input });
}

/** The same in a process of its own. */
export function runLightwellProcess(gallery: Gallery, args: string[], input = ''): Promise<CommandOutcome> {
  return spawnCommand(createEnvironment(gallery.deps.config), args, { input });
}

interface SpawnOptions {
  input?: string;
  /** Seconds that its clock is ahead. */
  later?: number;
  /** A program that starts it, with its arguments, as that of a memory group. */
  under?: string[];
  /** Told of its process, or of that program's, as soon as there is one. */
  onSpawn?: (pid: number) => void;
}

/** The same with settings of one's own. */
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
  /** Where it did not end by itself. */
  how: string;
}

function describeSignal(signal: string): string {
  return `its process was ended by ${signal}`;
}

/** One that died without a word says so: a failure tells why. */
function createOutcome({ code, how }: ProcessEnding, out: string, err: string): CommandOutcome {
  const all = how === '' ? err : `${err}${err === '' || err.endsWith('\n') ? '' : '\n'}${how}\n`;
  return { code, out, err: all, error: all.trim() };
}

interface StartOptions {
  /** Milliseconds that its SQLite waits for a lock; then it prints a line (busy.js). */
  busyTimeoutMs?: number;
}

/** To be killed, or waited for. */
export function startLightwell(gallery: Gallery, args: string[], { busyTimeoutMs }: StartOptions = {}) {
  const env = createEnvironment(gallery.deps.config);
  if (busyTimeoutMs !== undefined) {
    env.NODE_OPTIONS = `--import=${resolve(import.meta.dirname, 'busy.js')}`;
    env.BUSY_TIMEOUT = String(busyTimeoutMs);
  }
  return spawn(process.execPath, [cliPath, ...args], { env });
}

/** The settings of a home. */
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

/** No command writes it. */
const endMark = '\0';

/** Processes that run commands, and wait for the next one. */
const idleHosts: ChildProcess[] = [];

/** In a process that has run other commands before, and runs no other meanwhile. */
export async function runCommand(
  environment: Record<string, string>,
  args: string[],
  { input = '', later = 0 } = {},
): Promise<CommandOutcome> {
  const host = idleHosts.pop() ?? startHost();
  keepReferenced(host, true);
  // A host runs many commands: what waited for one does not stay with it.
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
    keepReferenced(host, false);
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

/** While it waits it keeps no test file from ending. */
function keepReferenced(host: ChildProcess, isNeeded: boolean): void {
  const streams = [host.stdout, host.stderr] as unknown as { ref(): void; unref(): void }[];
  for (const part of [host, host.channel!, ...streams]) isNeeded ? part?.ref() : part?.unref();
}

/** To the end of what one command says, or of the process. */
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
