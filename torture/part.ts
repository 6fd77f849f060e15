/** Types of `npm run torture`: parts, each run against its own gallery location and returning figures. */
import type { TestGallery } from './gallery-setups.ts';

export interface Figure {
  name: string;
  /** Value in the table: `204 kills`, `0 lost`. */
  value: string;
  /** Limit in the table: `at least 200`, `0`. Undefined for a figure without a limit. */
  limit?: string;
  isHeld: boolean;
  /** True if this machine could not run the trial, so the figure is unknown. */
  isUntried?: boolean;
}

export interface Surroundings {
  home: TestGallery;
  /** Milliseconds that the part may take, including its final check. */
  milliseconds: number;
  /** Seed of all random choices, so that a run can be repeated as far as timing allows. */
  seed: number;
  /** For `kills`: minimum number of kills under load at each location, however long it takes. */
  kills?: number;
  /** For `api`: minimum number of requests, however long it takes. */
  requests?: number;
  /** For `visibility`: number of compared answers, however long it takes. */
  decisions?: number;
  /** For `images`: number of damaged pictures of each format, however long it takes. */
  perFormat?: number;
  /** Prints a line about the part's progress. */
  tell(line: string): void;
}

export interface Part {
  /** Name on the command line: `kills`. */
  name: string;
  /** One sentence for `--help` and the table's heading. */
  about: string;
  /** Fraction of the run's time, relative to other parts. */
  share: number;
  /** The locations where the part runs, if it cannot test all. */
  homes?: TestGallery['name'][];
  /** Runs the part. Throws if the part could not be tried; faults are returned as figures. */
  run(surroundings: Surroundings): Promise<Figure[]>;
}

/** Returns a figure whose count must be zero: losses, leftovers, responses with 500. */
export function none(name: string, found: number | string[]): Figure {
  const count = typeof found === 'number' ? found : found.length;
  const examples = typeof found === 'number' || count === 0 ? '' : `: ${found.slice(0, 3).join('; ')}`;
  return { name, value: `${count}${examples}`, limit: '0', isHeld: count === 0 };
}

export function atLeast(name: string, count: number, limit: number): Figure {
  return { name, value: String(count), limit: `at least ${limit}`, isHeld: count >= limit };
}

export function atMost(name: string, value: number, limit: number, unit = ''): Figure {
  const shown = `${Number.isInteger(value) ? value : value.toFixed(2)}${unit && ` ${unit}`}`;
  return { name, value: shown, limit: `at most ${limit}${unit && ` ${unit}`}`, isHeld: value <= limit };
}

/** Returns a figure for a trial that this machine could not run; `reason` names what is missing. */
export function untried(what: string, reason: string): Figure {
  return { name: what, value: `not tried: ${reason}`, isHeld: true, isUntried: true };
}

/** Returns a figure that has no limit. */
export function createInfoFigure(name: string, value: string | number): Figure {
  return { name, value: String(value), isHeld: true };
}
