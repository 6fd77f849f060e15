/**
 * A process that runs test files one after the other, as pool.ts sends them: what they share is loaded and compiled
 * once.
 */
import hooks from 'node:async_hooks';
import type { run as Run } from 'node:test';
import { keepCompiledModules } from '../../server/platform/process/compile-cache.js';

export interface Order {
  file: string;
  grep: string | undefined;
  timeoutMs: number;
}

export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  /** The names of the tests that failed, each with its reason. */
  failures: string[];
  /** What node's reporter says. */
  text: string;
  /** Milliseconds of CPU of this process; those of servers, browsers and workers are not in it. */
  cpuMs: number;
}

/** A message to pool.ts: the name of a test that starts, or the outcome of the file. */
export interface Report {
  started?: string;
  outcome?: Outcome;
}

type Events = ReturnType<typeof Run>;

/** Characters: a reason may quote the whole log of a server. */
const maxReason = 2000;

// node:test follows every promise, so that it can blame a test for a rejection that nothing awaits. That takes a fifth of
// the CPU. `createHook` has an option against it, which node:test does not pass on. With the option, node:test blames no
// test, and `failByExitCode` names the test that ran.
const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
const { run } = await import('node:test');
const { spec } = await import('node:test/reporters');

// A new process loads what the others compiled: the server, its packages, the tests.
keepCompiledModules();
// Each gallery and each run has a few listeners of its own.
process.setMaxListeners(0);
// On 'exit' it ends the servers that it started.
process.on('SIGTERM', () => process.exit(143));
process.on('disconnect', () => process.exit());
process.on('message', async (order: Order) => {
  // A run ends when nothing keeps the event loop alive, as a process does; nor may the channel.
  process.channel!.unref();
  const outcome = await runFile(order);
  process.channel!.ref();
  report({ outcome });
});

async function runFile({ file, grep, timeoutMs }: Order): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [], text: '', cpuMs: 0 };
  const begin = process.cpuUsage();
  const events = run({ files: [file], isolation: 'none', timeout: timeoutMs, testNamePatterns: grep });
  count(events, outcome);
  /** The tests during which something failed that no test awaits. */
  const interrupted: string[] = [];
  let running = '';
  events.on('test:dequeue', ({ name }) => {
    running = name;
    report({ started: name });
  });
  const onStray = () => interrupted.push(running);
  process.on('unhandledRejection', onStray).on('uncaughtException', onStray);
  const diagnostics: string[] = [];
  events.on('test:diagnostic', ({ message }) => diagnostics.push(message));
  for await (const text of events.compose(withoutCounts).compose(spec)) outcome.text += text;
  process.off('unhandledRejection', onStray).off('uncaughtException', onStray);
  failByExitCode(outcome, interrupted, diagnostics);
  const { user, system } = process.cpuUsage(begin);
  outcome.cpuMs = (user + system) / 1000;
  return outcome;
}

function report(message: Report): void {
  process.send!(message);
}

function count(events: Events, outcome: Outcome): void {
  events.on('test:summary', ({ counts }) => {
    outcome.passed += counts.passed;
    outcome.skipped += counts.skipped + counts.todo;
    outcome.failed += counts.tests - counts.passed - counts.skipped - counts.todo;
  });
  events.on('test:fail', ({ name, details }) => {
    if (isOwnFailure(details.error)) outcome.failures.push(`${name}\n${reasonOf(details.error)}`);
  });
}

/** Fails the file for an error that no test awaited: only the exit code and a diagnostic tell of it. */
function failByExitCode(outcome: Outcome, interrupted: string[], diagnostics: string[]): void {
  const isFailed = process.exitCode !== undefined && process.exitCode !== 0;
  process.exitCode = 0;
  if (!isFailed || outcome.failed > 0) return;
  outcome.failed = 1;
  const reason = diagnostics.find((line) => line.startsWith('Error: ')) ?? '';
  const tests = interrupted.length > 0 ? `during "${interrupted.join('", "')}"` : 'outside of the tests';
  outcome.failures.push(`an error that no test awaited, ${tests}\n${indented(reason)}`);
}

const countLine = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

/** Those of a single file; report.ts has those of all. */
async function* withoutCounts(events: Events) {
  for await (const event of events) {
    const isCount = event.type === 'test:diagnostic' && countLine.test(event.data.message);
    if (!isCount) yield event;
  }
}

/** A suite whose tests failed is not a failure of its own. */
function isOwnFailure(error: Error): boolean {
  return (error as Error & { failureType?: string }).failureType !== 'subtestsFailed';
}

/** The beginning of what the assertion or the error says. */
function reasonOf(error: Error): string {
  const { message } = error.cause instanceof Error ? error.cause : error;
  return indented(message);
}

function indented(text: string): string {
  const lines = text.trim().slice(0, maxReason).split('\n');
  return lines.map((line) => `      ${line}`).join('\n');
}
