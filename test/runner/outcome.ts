/** The outcome of one test file: counts, failures and output. */
import { resolve } from 'node:path';
import type { run } from 'node:test';
import { pathToFileURL } from 'node:url';

export type Events = ReturnType<typeof run>;

export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  /** One reason for each skipped test and each skipped suite. */
  skipReasons: string[];
  /** The name of each failed test with its reason. */
  failures: string[];
  /** The output of node's test reporter for this file. */
  text: string;
  /** CPU milliseconds of this test process, without its servers, browsers and workers. */
  cpuMs: number;
}

/** Maximum characters of a failure reason, because a reason may quote the whole log of a server. */
const maxReason = 2000;

export function emptyOutcome(): Outcome {
  return { passed: 0, failed: 0, skipped: 0, skipReasons: [], failures: [], text: '', cpuMs: 0 };
}

/** Fills the outcome of a file from the events of its test run. */
export function countEvents(events: Events, outcome: Outcome, onFailure: (failure: string) => void): void {
  events.on('test:summary', ({ counts }) => {
    outcome.passed += counts.passed;
    outcome.skipped += counts.skipped + counts.todo;
    outcome.failed += counts.tests - counts.passed - counts.skipped - counts.todo;
  });
  events.on('test:pass', ({ skip, details }) => {
    if (skip === undefined) return;
    outcome.skipReasons.push(skip === true ? 'without a reason' : String(skip));
    // A skipped suite counts as one: its tests are unknown, and node's summary counts only tests.
    if (details.type === 'suite') outcome.skipped++;
  });
  events.on('test:fail', ({ name, todo, details }) => {
    if (todo !== undefined || !isOwnFailure(details.error)) return;
    const failure = `${name}\n${formatReason(details.error)}`;
    outcome.failures.push(failure);
    onFailure(failure);
  });
}

/** An error that was thrown outside of any test, such as a rejected promise that no test awaited. */
export interface StrayError {
  error: unknown;
  where: string;
}

/** Fails the file for stray errors: for such an error, node:test sets the exit code, but fails no test. */
export function failByExitCode(outcome: Outcome, strays: StrayError[]): void {
  const code = process.exitCode ?? 0;
  process.exitCode = 0;
  if (code === 0 || outcome.failed > 0) return;
  if (strays.length === 0) addFailure(outcome, `the file set process.exitCode to ${code}`);
  for (const { error, where } of strays)
    addFailure(outcome, `an error that no test awaited, ${where}\n${formatStack(error)}`);
}

/**
 * Fails the file for an error at its top level after its first test: node:test drops the error and skips the
 * tests below. A second import throws the same error, and runs no test again.
 */
export async function failByImport(outcome: Outcome, file: string): Promise<void> {
  const isReported = outcome.failures.some((failure) => failure.startsWith(`${file}\n`));
  if (isReported) return;
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    addFailure(outcome, `an error outside of the tests: those below it did not run\n${formatStack(error)}`);
  }
}

function addFailure(outcome: Outcome, failure: string): void {
  outcome.failed++;
  outcome.failures.push(failure);
  outcome.text += `✖ ${failure}\n`;
}

/** Tells whether a test or suite failed by itself. A suite also fails if one of its tests failed. */
function isOwnFailure(error: Error): boolean {
  return (error as Error & { failureType?: string }).failureType !== 'subtestsFailed';
}

/** Returns the first characters of the message of an assertion or error. */
function formatReason(error: Error): string {
  const { message } = error.cause instanceof Error ? error.cause : error;
  return indentText(message);
}

/** Returns the error and its stack, without the lines of node itself. */
function formatStack(error: unknown): string {
  const stack = error instanceof Error ? error.stack! : String(error);
  const lines = stack.split('\n').filter((line) => !/^ +at .*\(?node:/.test(line));
  return indentText(lines.join('\n'));
}

function indentText(text: string): string {
  const lines = text.trim().slice(0, maxReason).split('\n');
  return lines.map((line) => `      ${line}`).join('\n');
}
