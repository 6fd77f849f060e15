/** Makes a failing sequence short: leaves out what it fails without, in ever smaller pieces. */
import type { Step } from './steps/kind.ts';

/** Plays on a new gallery. Undefined: the two agree. */
export type TryAgain = (steps: Step[]) => Promise<string[] | undefined>;

export interface Failing {
  steps: Step[];
  /** Those of them that were not refused: the others are left out first. */
  done: Step[];
  differences: string[];
}

export interface Shrunk {
  steps: Step[];
  differences: string[];
  tries: number;
}

/** Ends when no single step can be left out, or at `end`. */
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
