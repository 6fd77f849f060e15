/**
 * Kinds of steps: each can be chosen at random, applied to the model, sent to the gallery and described to a
 * person.
 */

import type { Answer, GalleryUrl, Person } from '../../../test/support/people.ts';
import type { Random } from '../../../test/support/random.ts';
import type { Rows, Visitor } from '../rows.ts';

/** A step with all data to repeat it. Things are named by labels, so that any gallery can replay the step. */
export interface Step {
  by: Visitor;
  does: string;
  /** Label of the thing that the step is about or creates. */
  it: string;
  [detail: string]: unknown;
}

/** Expected outcome of a step. `data` lists fields that the response must contain. */
export interface Outcome {
  code: number;
  data?: Record<string, unknown>;
}

export const refused = (code: number): Outcome => ({ code });
export const done = (data?: Record<string, unknown>): Outcome => ({ code: 0, ...(data && { data }) });

/** State of a sequence of steps on one gallery. */
export interface Stage {
  place: GalleryUrl;
  people: Map<Visitor, Person>;
  /** Ids by label; a thing that was not created in this play has none. */
  ids: Map<string, number>;
  /** Tokens of share links, by label of the share. */
  tokens: Map<string, string>;
  /** Access tokens that shares gave for a password or a view, by label. */
  access: Map<string, string>;
  /** Current public thumbnail paths, by label of the photo. */
  images: Map<string, string>;
  picture: Buffer;
  /** Number of attempts at passwords of share links so far. */
  tries: number;
  /** Moves the gallery's clock forward by seconds. */
  travel(seconds: number): void;
}

export interface Chance {
  random: Random;
  rows: Rows;
  /** Returns the label of any created thing, deleted or not. */
  any(kind: string): string | undefined;
  /** Returns mostly a thing of the acting person, or undefined if there is none. */
  own(kind: string): string | undefined;
  /** Returns a label that no thing has yet. */
  fresh(kind: string): string;
}

export interface Kind {
  does: string;
  /** Weight of this kind of step in the random choice. */
  weight: number;
  /** True if a visitor without an account is not refused first. */
  isOpen?: boolean;
  /** True if the step is for owners and admins; other people try it now and then. */
  isOwners?: boolean;
  /** Chooses the details of a step, or returns undefined if nothing suitable exists. */
  choose(chance: Chance, by: Visitor): Omit<Step, 'by' | 'does'> | undefined;
  say(step: Step): string;
  /** Applies the step to the rows by the rules, and returns the outcome. */
  happen(rows: Rows, step: Step): Outcome;
  send(stage: Stage, who: Person, step: Step): Promise<Answer>;
  /** Records data of the response that later steps need. */
  keep?(stage: Stage, step: Step, answer: Answer): void;
}

/** Returns the gallery's id of a labeled thing. */
export function idOf(stage: Stage, label: unknown): number {
  return stage.ids.get(label as string)!;
}

/** Returns the labels that a step names but does not create. */
export function labelsIn({ by: _by, does: _does, ...details }: Step): string[] {
  return Object.values(details)
    .flat()
    .filter(
      (value): value is string =>
        typeof value === 'string' && /^(photo|album|comment|share) \d+$/.test(value),
    );
}
