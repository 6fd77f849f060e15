/**
 * `model`: plays random steps of several people on a gallery and on a plain model of the rules, and shrinks
 * failures.
 */
import { shrink } from '../../test/support/shrink.ts';
import { createInfoFigure, none, type Part, type Surroundings } from '../part.ts';
import { galleriesOn, type MakeGallery, withGallery } from './galleries.ts';
import { playAtRandom, replay, sayStep } from './play.ts';
import type { Step } from './steps/kind.ts';

const stepsAtOnce = 120;
/** Fraction of the part's time that shrinking a failed sequence may use. */
const shareOfShrinking = 0.4;

export const model: Part = {
  name: 'model',
  about: 'random steps of several people: each sees what a plain model of the rules says',
  share: 3,
  async run(surroundings) {
    const { steps, sequences, faults } = await explore(surroundings, galleriesOn(surroundings.home));
    return [
      createInfoFigure('sequences', sequences),
      createInfoFigure('steps', steps),
      none('sequences after which they differed', faults),
    ];
  },
};

/** Plays sequences until the time is over or one fails. A failing sequence is shrunk. */
export async function explore(
  { milliseconds, seed, tell }: Pick<Surroundings, 'milliseconds' | 'seed' | 'tell'>,
  makeGallery: MakeGallery,
) {
  const end = Date.now() + milliseconds;
  const found = { steps: 0, sequences: 0, faults: [] as string[] };
  for (let turn = 0; Date.now() < end && found.faults.length === 0; turn++) {
    const play = await withGallery(makeGallery, (gallery) =>
      playAtRandom(gallery, seed + turn, stepsAtOnce, end),
    );
    found.steps += play.steps.length;
    found.sequences++;
    if (play.differences.length === 0) continue;
    tell(`seed ${seed + turn}: after ${play.steps.length} steps they differ: ${play.differences[0]}`);
    const fails = async (steps: Step[]) => {
      const differences = await withGallery(makeGallery, (gallery) =>
        replay(gallery, steps, play.differences),
      );
      return differences.length > 0 ? differences : undefined;
    };
    const failing = { ...play, failure: play.differences };
    const small = await shrink(
      failing,
      fails,
      Date.now() + Math.max(60_000, milliseconds * shareOfShrinking),
    );
    tell(`shrunk to ${small.steps.length} steps in ${small.tries} tries:`);
    for (const step of small.steps) tell(`  ${sayStep(step)}`);
    for (const difference of small.failure.slice(0, 5)) tell(`  → ${difference}`);
    found.faults.push(`seed ${seed + turn}, ${small.steps.length} steps: ${small.failure[0]}`);
  }
  return found;
}
