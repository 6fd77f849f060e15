/** Prints what each file said when it ended, and all failures once more at the end. */
import { homes, type Job } from './jobs.ts';
import type { Outcome } from './worker.ts';

export interface Report {
  add(job: Job, outcome: Outcome, ms: number): void;
  /** Something that did not run at all: a half-run suite must not look like a whole one. */
  miss(what: string, reason: unknown): void;
  /** Returns whether everything passed. */
  finish(options: { slowest: boolean }): boolean;
}

const maxSlowest = 30;

export function createReport(files: number): Report {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures: string[] = [];
  const times: { name: string; ms: number }[] = [];
  const begin = performance.now();

  return {
    add({ file, home }, outcome, ms) {
      const name = `${file} on ${homes[home].title}`;
      times.push({ name, ms });
      console.log(
        `\n──── ${times.length}/${files}: ${name}, ${inSeconds(ms)} ────\n\n${outcome.text.trim()}`,
      );
      for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += outcome[key];
      failures.push(...outcome.failures.map((failure) => `  ${name}: ${failure}`));
    },
    miss(what, reason) {
      console.error(`\n${what}.`, reason);
      total.failed++;
      failures.push(`  ${what}`);
    },
    finish({ slowest }) {
      if (slowest) {
        const sorted = times.sort((one, other) => other.ms - one.ms).slice(0, maxSlowest);
        console.log(`\nSlowest:\n${sorted.map(({ name, ms }) => `  ${inSeconds(ms)} ${name}`).join('\n')}`);
      }
      if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
      const { passed, failed, skipped } = total;
      const seconds = inSeconds(performance.now() - begin);
      console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds}`);
      return failed === 0 && failures.length === 0;
    },
  };
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
