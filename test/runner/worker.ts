/**
 * A process that runs test files one after the other in the order that pool.ts sends. Shared modules are
 * loaded and compiled only once.
 */
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { enableOwnCompileCache } from '../../server/platform/process/compile-cache.js';
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

/**
 * A message to pool.ts: progress of the running file, or its outcome. If the process ends before the outcome,
 * pool.ts uses the first three fields.
 */
export interface WorkerMessage {
  place?: TestProgress;
  failure?: string;
  text?: string;
  outcome?: Outcome;
}

// A new process reuses the compiled code of other processes: the server, its packages, the tests.
enableOwnCompileCache();
// Each gallery and each test run adds a few listeners to the process, so node must not warn about their
// number.
process.setMaxListeners(0);
// `process.exit()` emits 'exit', and its handlers stop the servers that this process started.
process.on('SIGTERM', () => process.exit(143));
// Ctrl-C signals all processes of a terminal. run.ts ends this process after it has asked which test is
// running.
process.on('SIGINT', () => {}).on('SIGHUP', () => {});
process.on('disconnect', () => process.exit());
process.on('message', async (order: WorkerOrder) => {
  // The test run ends when nothing keeps the event loop alive, so the IPC channel must not keep it alive
  // either.
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

/** Passes events on without the counts of a single file, because report.ts prints the counts of all files. */
async function* withoutCounts(events: Events) {
  for await (const event of events) {
    const isCount = event.type === 'test:diagnostic' && countLine.test(event.data.message);
    if (!isCount) yield event;
  }
}
