/**
 * Shortens a failing sequence by leaving out steps that the failure does not need, in ever smaller pieces.
 */

/** Plays steps on a new gallery. Resolves with the failure, or undefined if the gallery agrees with the model. */
export type TryAgain<Step, Failure> = (steps: Step[]) => Promise<Failure | undefined>;

export interface Failing<Step, Failure> {
  steps: Step[];
  /** Steps that the gallery accepted. `shrink` first tries these steps alone, without the refused ones. */
  accepted: Step[];
  failure: Failure;
}

export interface Shrunk<Step, Failure> {
  steps: Step[];
  failure: Failure;
  tries: number;
}

/** Shrinks until no single step can be left out, or until `end`. */
export async function shrink<Step, Failure>(
  { steps, accepted, failure }: Failing<Step, Failure>,
  fails: TryAgain<Step, Failure>,
  end: number,
): Promise<Shrunk<Step, Failure>> {
  const best: Shrunk<Step, Failure> = { steps, failure, tries: 0 };
  const replaceIfFailing = async (some: Step[]) => {
    best.tries++;
    const again = await fails(some);
    if (again !== undefined) Object.assign(best, { steps: some, failure: again });
  };
  await replaceIfFailing(accepted);
  for (let size = Math.ceil(best.steps.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let to = best.steps.length; to > 0 && Date.now() < end; to -= size) {
      const from = Math.max(0, to - size);
      if (to - from < best.steps.length) await replaceIfFailing(best.steps.toSpliced(from, to - from));
    }
  }
  return best;
}
