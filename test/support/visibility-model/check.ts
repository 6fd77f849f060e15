/** Comparison of one answer for one viewer with the model. */
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../people.ts';
import { findViewerProblem } from './decide.ts';
import type { ModelAnswer } from './requests.ts';
import type { Stage } from './stage.ts';
import type { Album, Name, Photo, State, Viewer } from './state.ts';

export interface Context {
  stage: Stage;
  state: State;
  /**
   * True after a request that the API answers before its totals are counted: disabling, enabling or deleting
   * an account.
   */
  areTotalsLate: boolean;
  /** The account that the last request deleted. An admin may find its photos and albums until a job ends. */
  erasing: Name | undefined;
}

/** A difference between an answer and the model. */
export interface Difference {
  text: string;
  /**
   * True if the answer shows something hidden. Hiding counts at the next request. Something visible again may
   * follow later.
   */
  isLeak: boolean;
}

export interface Check {
  /** Sentence that names the viewer and the answer. The sentence is the same in each gallery. */
  name: string;
  viewer: Viewer;
  /** Label of the photo or the album, for a check about one. */
  about?: string;
  /** True if the check notes paths of images, which other checks open later. */
  givesPaths?: boolean;
  run(context: Context): Promise<Difference | undefined>;
}

export function ask({ stage }: Context, viewer: Viewer, path: string): Promise<Answer> {
  return stage.people.get(viewer)!.get(path);
}

/** Returns the code of an answer in JSON. An archive has none and succeeds. */
const codeOf = ({ body, status }: Answer): number => body.code ?? (status === 200 ? 0 : status);

/** Compares status and code. A refusal that the viewer's credentials cause has priority. */
export function compareStatus(
  { state }: Context,
  viewer: Viewer,
  answer: Answer,
  wanted: ModelAnswer,
): Difference | undefined {
  const { status, code } = findViewerProblem(state, viewer) ?? wanted;
  const seen = { status: answer.status, code: codeOf(answer) };
  if (isDeepStrictEqual(seen, { status, code })) return undefined;
  return {
    text: `answers ${seen.status} (${seen.code}) instead of ${status} (${code})`,
    isLeak: code !== 0 && answer.status === 200,
  };
}

export function compareOpened(isOpen: boolean, canOpen: boolean): Difference | undefined {
  if (isOpen === canOpen) return undefined;
  return { text: canOpen ? 'the image is refused' : 'the image is answered', isLeak: isOpen };
}

/** Compares values that show nothing hidden by themselves. */
export function compareValues(what: string, seen: unknown, wanted: unknown): Difference | undefined {
  if (isDeepStrictEqual(seen, wanted)) return undefined;
  return { text: `${what} is ${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}`, isLeak: false };
}

/** Compares a number of visible things. A larger number tells that something hidden exists. */
export function compareCount(
  { areTotalsLate }: Context,
  what: string,
  seen: number,
  wanted: number,
): Difference | undefined {
  if (seen === wanted) return undefined;
  return { text: `${what} is ${seen} instead of ${wanted}`, isLeak: seen > wanted && !areTotalsLate };
}

/** Compares the things of a list, in any order. */
export function compareLabels(seen: string[], wanted: string[]): Difference | undefined {
  const more = seen.filter((label) => !wanted.includes(label));
  const missing = wanted.filter((label) => !seen.includes(label));
  if (more.length > 0) return { text: `shows ${more.join(', ')}`, isLeak: true };
  if (missing.length > 0) return { text: `lacks ${missing.join(', ')}`, isLeak: false };
  return compareValues('the number of items', seen.length, wanted.length);
}

/** Returns the first difference, a leak first. */
export function findFirst(...some: (Difference | undefined)[]): Difference | undefined {
  return some.find((one) => one?.isLeak) ?? some.find((one) => one !== undefined);
}

export const listLabels = (things: (Photo | Album)[]) => things.map(({ label }) => label);
