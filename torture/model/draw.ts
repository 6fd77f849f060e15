/** Chooses the next step at random from the model's rows, and returns its expected outcome. */
import type { Random } from '../../test/support/random.ts';
import { type Name, names, type Rows, type Visitor } from './rows.ts';
import { isEnabled } from './rules.ts';
import { accountSteps } from './steps/accounts.ts';
import { albumSteps } from './steps/albums.ts';
import { batch } from './steps/batch.ts';
import { editSteps } from './steps/edits.ts';
import { type Kind, type Outcome, refused, type Stage, type Step } from './steps/kind.ts';
import { noticeSteps } from './steps/notices.ts';
import { comment, peopleSteps } from './steps/people.ts';
import { photoSteps, reactions } from './steps/photos.ts';
import { shareSteps } from './steps/shares.ts';

const topics: Kind[][] = [
  [...photoSteps, batch],
  albumSteps,
  editSteps,
  [...peopleSteps, ...noticeSteps],
  accountSteps,
  shareSteps,
  // Topic of steps that cause notifications or mark them as read.
  [...reactions, comment, ...noticeSteps],
];
const kinds = [...new Set(topics.flat())];
export const byName = new Map(kinds.map((kind) => [kind.does, kind]));
/** Names of steps that create a thing. */
export const makers = new Set(['upload', 'make album', 'comment', 'share']);

/** Factor for the favored topic of a sequence, because faults need several steps of one kind. */
const timesMore = 4;
/** Fraction of a sequence's steps that one person makes, because faults often concern one person's things. */
const shareOfOne = 0.4;
/** Fraction of the forbidden steps that are tried, such as an edit of another user's photo. */
const shareOfOthers = 0.15;

interface Leaning {
  drawn: Kind[];
  lead: Name;
}

/** Returns the topic and the person that a sequence favors. */
export function createLeaning(random: Random): Leaning {
  const topic = random.pick(topics);
  const drawn = kinds.flatMap((kind) =>
    Array.from({ length: kind.weight * (topic.includes(kind) ? timesMore : 1) }, () => kind),
  );
  return { drawn, lead: random.pick(names) };
}

export function draw(
  random: Random,
  { drawn, lead }: Leaning,
  rows: Rows,
  stage: Pick<Stage, 'ids'>,
): Step | undefined {
  const by = random.chance(0.04) ? 'nobody' : random.chance(shareOfOne) ? lead : random.pick(names);
  const isAway = by !== 'nobody' && !isEnabled(rows, by);
  if (isAway && !random.chance(shareOfOthers)) return undefined;
  const kind = random.pick(drawn);
  const made = (what: string) => [...stage.ids.keys()].filter((label) => label.startsWith(`${what} `));
  const details = kind.choose(
    {
      random,
      rows,
      // Chooses mostly an own or recent thing, sometimes a deleted one.
      any: (what) => {
        const all = made(what);
        const own = all.filter((label) => findOwner(rows, label) === by);
        if (own.length > 0 && random.chance(0.75)) return random.pick(own);
        return all.length === 0 ? undefined : random.pick(random.chance(0.6) ? all.slice(-6) : all);
      },
      own: (what) => {
        const all = made(what);
        const own = random.chance(shareOfOthers) ? all : all.filter((label) => findOwner(rows, label) === by);
        return own.length === 0 ? undefined : random.pick(own);
      },
      fresh: (what) => `${what} ${made(what).length + 1}`,
    },
    by,
  );
  if (!details) return undefined;
  const mayDo = by === 'root' || findOwner(rows, details.it as string) === by;
  if (kind.isOwners && !mayDo && !random.chance(shareOfOthers)) return undefined;
  return { by, does: kind.does, ...details } as Step;
}

function findOwner({ photos, albums, comments, shares }: Rows, label: string): Name | undefined {
  return (photos.get(label) ?? albums.get(label) ?? shares.get(label))?.owner ?? comments.get(label)?.author;
}

/** Applies a step to the rows, and returns the outcome by the rules. */
export function expect(rows: Rows, step: Step): Outcome {
  const kind = byName.get(step.does)!;
  return refusedByPermission(rows, kind, step.by) ?? kind.happen(rows, step);
}

function refusedByPermission(rows: Rows, kind: Kind, by: Visitor): Outcome | undefined {
  if (kind.isOpen) return undefined;
  if (by === 'nobody') return refused(401);
  return isEnabled(rows, by) ? undefined : refused(10006);
}
