/**
 * Shortens a failing sequence by leaving out steps that the failure does not need, in ever smaller pieces.
 */
import type { Step } from './steps/kind.ts';

/** Plays steps on a new gallery. Resolves with differences, or undefined if both sides agree. */
export type TryAgain = (steps: Step[]) => Promise<string[] | undefined>;

export interface Failing {
  steps: Step[];
  /** Steps that were not refused; the others are left out first. */
  done: Step[];
  differences: string[];
}

export interface Shrunk {
  steps: Step[];
  differences: string[];
  tries: number;
}

/** Shrinks until no single step can be left out, or until `end`. */
export async function shrink(failing: Failing, fails: TryAgain, end: number): Promise<Shrunk> {
  const best: Shrunk = { steps: failing.steps, differences: failing.differences, tries: 0 };
  const isStill = async (steps: Step[]) => {
    best.tries++;
    const differences = await fails(steps);
    if (differences) Object.assign(best, { steps, differences });
  };
  await isStill(failing.done);
  for (let size = Math.ceil(best.steps.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let to = best.steps.length; to > 0 && Date.now() < end; to -= size) {
      const from = Math.max(0, to - size);
      if (to - from < best.steps.length) await isStill(best.steps.toSpliced(from, to - from));
    }
  }
  return best;
}
