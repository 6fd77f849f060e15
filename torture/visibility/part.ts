/**
 * `visibility`: plays random requests about levels and albums on a gallery and on the model of
 * `docs/visibility.md`, and compares each viewer's answers.
 */
import { shrink } from '../../test/support/shrink.ts';
import { type Failure, playAtRandom, replay, sayRequest } from '../../test/support/visibility-model/play.ts';
import type { ModelRequest } from '../../test/support/visibility-model/requests.ts';
import { galleriesOn, type MakeGallery, withGallery } from '../model/galleries.ts';
import { atLeast, createInfoFigure, none, type Part, type Surroundings } from '../part.ts';

const defaultDecisions = 20_000;
/** Number of requests on one gallery. A new gallery begins without albums and photos. */
const requestsAtOnce = 120;
/** Maximum time that shortening a failed sequence takes. */
const shrinkingMs = 120_000;

export const visibility: Part = {
  name: 'visibility',
  about: 'random requests about levels and albums: each viewer sees what docs/visibility.md says',
  share: 0.5,
  async run(surroundings) {
    const wanted = surroundings.decisions ?? defaultDecisions;
    const found = await explore(surroundings, wanted, galleriesOn(surroundings.home));
    const { requests, decisions, differences } = found;
    return [
      createInfoFigure('requests', requests),
      differences.length === 0
        ? atLeast('decisions', decisions, wanted)
        : createInfoFigure('decisions before the difference', decisions),
      none('differences from the page', differences),
    ];
  },
};

/** Plays sequences until the number of decisions is reached, or one differs. */
async function explore(
  { seed, tell }: Pick<Surroundings, 'seed' | 'tell'>,
  wanted: number,
  makeGallery: MakeGallery,
) {
  const found = { requests: 0, decisions: 0, differences: [] as string[] };
  for (let turn = 0; found.decisions < wanted && found.differences.length === 0; turn++) {
    const limit = { requests: requestsAtOnce, decisions: wanted - found.decisions };
    const play = await withGallery(makeGallery, (gallery) => playAtRandom(gallery, seed + turn, limit));
    found.requests += play.requests.length;
    found.decisions += play.decisions;
    if (!play.failure) continue;
    tell(`seed ${seed + turn}: after ${play.requests.length} requests: ${play.failure.text}`);
    found.differences.push(await shorten(play.failure, play, makeGallery, tell));
  }
  return found;
}

/** Prints the shortest list of requests with the same failure. Returns the failure with that list. */
async function shorten(
  failure: Failure,
  { requests, carriedOut }: { requests: ModelRequest[]; carriedOut: ModelRequest[] },
  makeGallery: MakeGallery,
  tell: (line: string) => void,
): Promise<string> {
  const failing = { steps: requests, accepted: carriedOut, failure };
  const fails = (some: ModelRequest[]) =>
    withGallery(makeGallery, (gallery) => replay(gallery, some, failure.check));
  const small = await shrink(failing, fails, Date.now() + shrinkingMs);
  tell(`shrunk to ${small.steps.length} requests in ${small.tries} tries:`);
  for (const request of small.steps) tell(`  ${sayRequest(request)}`);
  tell(`  → ${small.failure.text}`);
  return `${small.failure.text} (after ${small.steps.length} requests)`;
}
