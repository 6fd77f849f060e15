/** What `npm run torture` is made of: parts, each run against a home of its own, each telling figures. */
import type { TestGallery } from './gallery-setups.ts';

export interface Figure {
  name: string;
  /** As it stands in the table: `204 kills`, `0 lost`. */
  value: string;
  /** What it must be: `at least 200`, `0`; undefined where it is only told. */
  limit?: string;
  isHeld: boolean;
  /** It says why something could not be tried on this machine, so that nothing is known of it. */
  isUntried?: boolean;
}

export interface Surroundings {
  home: TestGallery;
  /** Milliseconds that the part may take, its last look included. */
  milliseconds: number;
  /** Every random choice comes from it, so that a run can be repeated as far as time allows. */
  seed: number;
  /** Of `kills`: so many under load at least, on each home, however long it takes. */
  kills?: number;
  /** Of `api`: so many at least, however long it takes. */
  requests?: number;
  /** Of `images`: so many damaged pictures of each format, however long it takes. */
  perFormat?: number;
  /** A line for the person who watches. */
  tell(line: string): void;
}

export interface Part {
  /** As the command line names it: `kills`. */
  name: string;
  /** One sentence for `--help` and the table's heading. */
  about: string;
  /** How much of the run's time it gets, next to the other parts. */
  share: number;
  /** Where it has nothing to say about one of them. */
  homes?: TestGallery['name'][];
  /** Throws where it could not even be tried; what it found goes into its figures. */
  run(surroundings: Surroundings): Promise<Figure[]>;
}

/** A count that must be none: what was lost, what was left over, answers of 500. */
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

/** Nothing is known of `what`: `reason` says what this machine lacks. */
export function untried(what: string, reason: string): Figure {
  return { name: what, value: `not tried: ${reason}`, isHeld: true, isUntried: true };
}

/** Only told. */
export function createInfoFigure(name: string, value: string | number): Figure {
  return { name, value: String(value), isHeld: true };
}
