/**
 * A process that runs test files one after the other, as pool.ts sends them: what they share is loaded and compiled
 * once.
 */
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
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
}

/** A message to pool.ts: the name of a test that starts, or the outcome of the file. */
export interface Report {
  started?: string;
  outcome?: Outcome;
}

type Events = ReturnType<typeof run>;

/** Characters: a reason may quote the whole log of a server. */
const maxReason = 2000;

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
  const outcome: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [], text: '' };
  const events = run({ files: [file], isolation: 'none', timeout: timeoutMs, testNamePatterns: grep });
  count(events, outcome);
  const diagnostics: string[] = [];
  events.on('test:diagnostic', ({ message }) => diagnostics.push(message));
  for await (const text of events.compose(withoutCounts).compose(spec)) outcome.text += text;
  failByExitCode(outcome, diagnostics);
  return outcome;
}

function report(message: Report): void {
  process.send!(message);
}

function count(events: Events, outcome: Outcome): void {
  events.on('test:dequeue', ({ name }) => report({ started: name }));
  events.on('test:summary', ({ counts }) => {
    outcome.passed += counts.passed;
    outcome.skipped += counts.skipped + counts.todo;
    outcome.failed += counts.tests - counts.passed - counts.skipped - counts.todo;
  });
  events.on('test:fail', ({ name, details }) => {
    if (isOwnFailure(details.error)) outcome.failures.push(`${name}\n${reasonOf(details.error)}`);
  });
}

/** What fails while no test awaits it, or after its test, is told by a diagnostic and this code alone. */
function failByExitCode(outcome: Outcome, diagnostics: string[]): void {
  const isFailed = process.exitCode !== undefined && process.exitCode !== 0;
  process.exitCode = 0;
  if (!isFailed || outcome.failed > 0) return;
  outcome.failed = 1;
  const reason = diagnostics.find((line) => line.startsWith('Error: ')) ?? '';
  outcome.failures.push(`something failed outside of its tests\n${indented(reason)}`);
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
