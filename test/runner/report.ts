/** Prints what each file said when it ended, and all failures once more at the end. */
import { dirname } from 'node:path';
import { homes, type Job } from './jobs.ts';
import type { Outcome } from './worker.ts';

export interface Report {
  add(job: Job, outcome: Outcome, ms: number): void;
  /** The jobs to run once more, each alone; none where so much failed that the machine is no excuse. */
  doubtful(): Job[];
  /** What came of a second run. One that passed leaves the failures, and is told at the end all the same. */
  repeat(job: Job, outcome: Outcome, ms: number): void;
  /** Something that did not run at all: a half-run suite must not look like a whole one. */
  miss(what: string, reason: unknown): void;
  /** Returns whether everything passed. */
  finish(options: { slowest: boolean }): boolean;
}

const maxSlow = 40;
/** Files, of hundreds: on a machine that others use much, a handful of them met a moment that was too slow. */
const maxRepeated = 6;

export function createReport(files: number): Report {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = new Map<Job | string, string[]>();
  const failedOf = new Map<Job, number>();
  const unsteady: string[] = [];
  const times: { name: string; ms: number }[] = [];
  const msOfFolder = new Map<string, number>();
  const begin = performance.now();

  return {
    add(job, outcome, ms) {
      times.push({ name: nameOf(job), ms });
      msOfFolder.set(dirname(job.file), (msOfFolder.get(dirname(job.file)) ?? 0) + ms);
      print(`${times.length}/${files}: ${nameOf(job)}`, outcome, ms);
      for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += outcome[key];
      if (!hasFailed(outcome)) return;
      failedOf.set(job, outcome.failed);
      failures.set(job, linesOf(job, outcome));
    },
    doubtful: () => (failedOf.size <= maxRepeated ? [...failedOf.keys()] : []),
    repeat(job, outcome, ms) {
      print(`once more, alone: ${nameOf(job)}`, outcome, ms);
      if (hasFailed(outcome)) return;
      unsteady.push(...failures.get(job)!);
      failures.delete(job);
      total.failed -= failedOf.get(job)!;
      total.passed += failedOf.get(job)!;
    },
    miss(what, reason) {
      console.error(`\n${what}.`, reason);
      total.failed++;
      failures.set(what, [`  ${what}`]);
    },
    finish({ slowest }) {
      const folders = [...msOfFolder].map(([name, ms]) => ({ name, ms }));
      // Where a run takes long is to be seen in the log of any run.
      if (slowest || folders.length > 1) {
        console.log(`\nTime of each folder, its files added up:\n${byTime(folders)}`);
        console.log(`\nSlowest:\n${byTime(times)}`);
      }
      const failed = [...failures.values()].flat();
      if (unsteady.length > 0)
        console.log(`\nFailed beside other tests and passed alone, to be mended:\n${unsteady.join('\n')}`);
      if (failed.length > 0) console.log(`\nFailed:\n${failed.join('\n')}`);
      const seconds = inSeconds(performance.now() - begin);
      console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped in ${seconds}`);
      return total.failed === 0 && failed.length === 0;
    },
  };
}

function byTime(times: { name: string; ms: number }[]): string {
  const sorted = times.toSorted((one, other) => other.ms - one.ms).slice(0, maxSlow);
  return sorted.map(({ name, ms }) => `  ${inSeconds(ms)} ${name}`).join('\n');
}

function nameOf({ file, home }: Job): string {
  return `${file} on ${homes[home].title}`;
}

function hasFailed({ failed, failures }: Outcome): boolean {
  return failed > 0 || failures.length > 0;
}

function linesOf(job: Job, { failures }: Outcome): string[] {
  return failures.map((failure) => `  ${nameOf(job)}: ${failure}`);
}

function print(title: string, { text }: Outcome, ms: number): void {
  console.log(`\n──── ${title}, ${inSeconds(ms)} ────\n\n${text.trim()}`);
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
