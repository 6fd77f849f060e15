/** What a kind of step is: chosen by chance, done by the model and by the gallery, and told to a person. */

import type { Answer, GalleryUrl, Person } from '../../../test/support/people.ts';
import type { Random } from '../../../test/support/random.ts';
import type { Rows, Visitor } from '../rows.ts';

/** Everything that repeats it: photos and so on are named by their labels, so that it can be played anywhere. */
export interface Step {
  by: Visitor;
  does: string;
  /** The label of what it is about, or of what it makes. */
  it: string;
  [detail: string]: unknown;
}

/** What must come of it. `data`: what the answer's must hold at least. */
export interface Outcome {
  code: number;
  data?: Record<string, unknown>;
}

export const refused = (code: number): Outcome => ({ code });
export const done = (data?: Record<string, unknown>): Outcome => ({ code: 0, ...(data && { data }) });

/** What a play knows of the gallery that it plays on. */
export interface Stage {
  place: GalleryUrl;
  people: Map<Visitor, Person>;
  /** Of the labels. Whatever was not made there has none. */
  ids: Map<string, number>;
  /** Of shares: what stands in their links. */
  tokens: Map<string, string>;
  /** Of shares: what they gave for a password or a view. */
  access: Map<string, string>;
  /** Of photos: the path of their small image now, as everybody is told it. */
  images: Map<string, string>;
  picture: Buffer;
  /** Of passwords of links. */
  tries: number;
  /** Moves its clock. */
  travel(seconds: number): void;
}

export interface Chance {
  random: Random;
  rows: Rows;
  /** One that was made, gone or not. */
  any(kind: string): string | undefined;
  /** Mostly one of whoever acts; undefined where they have none. */
  own(kind: string): string | undefined;
  /** A label that nothing has yet. */
  fresh(kind: string): string;
}

export interface Kind {
  does: string;
  /** How often it is chosen, next to the others. */
  weight: number;
  /** Whether a visitor without an account is refused before anything else is asked. */
  isOpen?: boolean;
  /** Whether it is for the owner of what it is about, and for admins: others try it now and then. */
  isOwners?: boolean;
  /** The rest of a step; undefined where there is nothing yet to do it with. */
  choose(chance: Chance, by: Visitor): Omit<Step, 'by' | 'does'> | undefined;
  say(step: Step): string;
  /** By the rules; changes the rows. */
  happen(rows: Rows, step: Step): Outcome;
  send(stage: Stage, who: Person, step: Step): Promise<Answer>;
  /** What the play has to keep of the answer. */
  keep?(stage: Stage, step: Step, answer: Answer): void;
}

/** The id of what a step names. */
export function idOf(stage: Stage, label: unknown): number {
  return stage.ids.get(label as string)!;
}

/** Labels that a step names and does not make. */
export function labelsIn({ by: _by, does: _does, ...details }: Step): string[] {
  return Object.values(details)
    .flat()
    .filter(
      (value): value is string =>
        typeof value === 'string' && /^(photo|album|comment|share) \d+$/.test(value),
    );
}
