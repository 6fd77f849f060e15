/**
 * Prints the output of each file when the file ends. At the end of the run, prints the slowest files and all
 * failures.
 */
import { databaseSetups, type Job } from './jobs.ts';
import type { Outcome } from './outcome.ts';

export interface Report {
  add(job: Job, outcome: Outcome, ms: number): void;
  /** Returns the failed jobs to repeat, or none if more jobs failed than a busy machine explains. */
  failedJobs(): Job[];
  /**
   * Records the outcome of a second run. A job that passes the second time is reported as flaky instead of
   * failed.
   */
  repeat(job: Job, outcome: Outcome, ms: number): void;
  /** Fails the run for a job that was stopped before its end. */
  interrupt(job: Job, where: string): void;
  /** Fails the run for something that did not run at all, such as a database that did not start. */
  miss(what: string, reason: unknown): void;
  /** Prints the end of the report. Returns true if everything passed. */
  finish(): boolean;
}

interface TimedName {
  name: string;
  ms: number;
  cpuMs: number;
}

const maxSlowest = 20;
const maxRepeated = 6;

/** Creates a report. `grep` is the text that the names of the tests must contain. */
export function createReport(files: number, grep?: string): Report {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = new Map<Job | string, string[]>();
  const failedCounts = new Map<Job, number>();
  const flaky: string[] = [];
  const interrupted: string[] = [];
  const skipReasons: string[] = [];
  const times: TimedName[] = [];
  const begin = performance.now();

  return {
    add(job, outcome, ms) {
      times.push({ name: describeJob(job), ms, cpuMs: outcome.cpuMs });
      printOutcome(`${times.length}/${files}: ${describeJob(job)}`, outcome, ms);
      for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += outcome[key];
      skipReasons.push(...outcome.skipReasons);
      if (!hasFailed(outcome)) return;
      failedCounts.set(job, outcome.failed);
      failures.set(job, formatFailures(job, outcome));
    },
    failedJobs: () => (failedCounts.size <= maxRepeated ? [...failedCounts.keys()] : []),
    repeat(job, outcome, ms) {
      printOutcome(`once more, alone: ${describeJob(job)}`, outcome, ms);
      if (hasFailed(outcome)) return;
      flaky.push(...failures.get(job)!);
      failures.delete(job);
      total.failed -= failedCounts.get(job)!;
      total.passed += failedCounts.get(job)!;
    },
    interrupt: (job, where) => void interrupted.push(`  ${describeJob(job)}: ${where}`),
    miss(what, reason) {
      console.error(`\n${what}.`, reason);
      total.failed++;
      failures.set(what, [`  ${what}`]);
    },
    finish() {
      const failed = [...failures.values()].flat();
      const isEmpty = total.passed + total.failed + total.skipped === 0;
      if (isEmpty && interrupted.length === 0)
        failed.push(grep === undefined ? '  no test ran' : `  no test has "${grep}" in its name`);
      if (times.length > 1) console.log(`\nSlowest:\n${listSlowest(times)}`);
      if (skipReasons.length > 0) console.log(`\nSkipped:\n${countReasons(skipReasons)}`);
      if (interrupted.length > 0) console.log(`\nInterrupted:\n${interrupted.join('\n')}`);
      if (flaky.length > 0) console.log(`\nFlaky, failed and then passed alone:\n${flaky.join('\n')}`);
      if (failed.length > 0) console.log(`\nFailed:\n${failed.join('\n')}`);
      const seconds = formatSeconds(performance.now() - begin);
      console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped in ${seconds}`);
      return total.failed === 0 && failed.length === 0 && interrupted.length === 0;
    },
  };
}

function listSlowest(times: TimedName[]): string {
  const sorted = times.toSorted((one, other) => other.ms - one.ms).slice(0, maxSlowest);
  return sorted.map((time) => `  ${formatTimes(time)}: ${time.name}`).join('\n');
}

/** Returns one line per reason, with the number of skipped tests and suites that have the reason. */
function countReasons(reasons: string[]): string {
  const groups = Map.groupBy(reasons, (reason) => reason);
  return [...groups].map(([reason, { length }]) => `  ${length}: ${reason}`).join('\n');
}

function describeJob({ file, home }: Job): string {
  return `${file} on ${databaseSetups[home].title}`;
}

function hasFailed({ failed, failures }: Outcome): boolean {
  return failed > 0 || failures.length > 0;
}

function formatFailures(job: Job, { failures }: Outcome): string[] {
  return failures.map((failure) => `  ${describeJob(job)}: ${failure}`);
}

function printOutcome(title: string, { text, cpuMs }: Outcome, ms: number): void {
  console.log(`\n──── ${title}, ${formatTimes({ ms, cpuMs })} ────\n\n${text.trim()}`);
}

function formatTimes({ ms, cpuMs }: Omit<TimedName, 'name'>): string {
  return `${formatSeconds(ms)}, CPU ${formatSeconds(cpuMs)}`;
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
