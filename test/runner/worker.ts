/**
 * A process that runs test files one after the other, as pool.ts sends them: what they share is loaded and compiled
 * once.
 */
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { keepCompiledModules } from '../../server/platform/process/compile-cache.js';
import {
  countEvents,
  type Events,
  emptyOutcome,
  failByExitCode,
  failByImport,
  type Outcome,
  type StrayError,
} from './outcome.ts';
import { followProgress, type TestProgress } from './place.ts';

export interface WorkerOrder {
  file: string;
  grep: string | undefined;
  timeoutMs: number;
}

/** A message to pool.ts while a file runs, or its outcome. The first three count if the process ends before the outcome. */
export interface WorkerMessage {
  place?: TestProgress;
  failure?: string;
  text?: string;
  outcome?: Outcome;
}

// A new process loads what the others compiled: the server, its packages, the tests.
keepCompiledModules();
// Each gallery and each run has a few listeners of its own.
process.setMaxListeners(0);
// On 'exit' it ends the servers that it started.
process.on('SIGTERM', () => process.exit(143));
// Ctrl-C reaches all processes of a terminal. run.ts ends this one, after it has asked which test runs.
process.on('SIGINT', () => {}).on('SIGHUP', () => {});
process.on('disconnect', () => process.exit());
process.on('message', async (order: WorkerOrder) => {
  // A run ends when nothing keeps the event loop alive, as a process does; nor may the channel.
  process.channel!.unref();
  const outcome = await runFile(order);
  process.channel!.ref();
  sendMessage({ outcome });
});

async function runFile({ file, grep, timeoutMs }: WorkerOrder): Promise<Outcome> {
  const outcome = emptyOutcome();
  const begin = process.cpuUsage();
  const events = run({ files: [file], isolation: 'none', timeout: timeoutMs, testNamePatterns: grep });
  countEvents(events, outcome, (failure) => sendMessage({ failure }));
  const place = followProgress(events, (place) => sendMessage({ place }));
  const strays: StrayError[] = [];
  const addStray = (error: unknown) => strays.push({ error, where: place().where });
  process.on('unhandledRejection', addStray).on('uncaughtException', addStray);
  for await (const text of events.compose(withoutCounts).compose(spec)) {
    outcome.text += text;
    sendMessage({ text });
  }
  process.off('unhandledRejection', addStray).off('uncaughtException', addStray);
  failByExitCode(outcome, strays);
  await failByImport(outcome, file);
  const { user, system } = process.cpuUsage(begin);
  outcome.cpuMs = (user + system) / 1000;
  return outcome;
}

function sendMessage(message: WorkerMessage): void {
  process.send!(message);
}

const countLine = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

/** Those of a single file; report.ts has those of all. */
async function* withoutCounts(events: Events) {
  for await (const event of events) {
    const isCount = event.type === 'test:diagnostic' && countLine.test(event.data.message);
    if (!isCount) yield event;
  }
}
