/** Steps about edits: add an edit, or return to an earlier edit or the original. */
import type { Photo, Rows } from '../rows.ts';
import { mayManage } from '../rules.ts';
import { type Chance, done, idOf, type Kind, type Outcome, refused, type Stage, type Step } from './kind.ts';

interface Size {
  width: number;
  height: number;
}

/** Size of the picture that all uploads use. */
export const originalSize: Size = { width: 24, height: 16 };

/** Request parameters of each edit, and the size after it. */
const edits: Record<string, { params: object; size(before: Size): Size }> = {
  rotate: { params: { angle: 90 }, size: ({ width, height }) => ({ width: height, height: width }) },
  flip: { params: { direction: 'h' }, size: (before) => before },
  crop: { params: { x: 0, y: 0, width: 8, height: 8 }, size: () => ({ width: 8, height: 8 }) },
  resize: { params: { width: 12, height: 20 }, size: () => ({ width: 12, height: 20 }) },
};

export function computeSize(photo: Photo): Size {
  return photo.edits.reduce((size, action) => edits[action]!.size(size), originalSize);
}

const chooseOne = ({ any }: Chance) => {
  const it = any('photo');
  return it === undefined ? undefined : { it };
};

function findProblem(rows: Rows, { by, it }: Step): Outcome | undefined {
  const photo = rows.photos.get(it);
  if (!photo || photo.isTrashed) return refused(20003);
  return mayManage(by, photo) ? undefined : refused(20004);
}

/** Records the path of the photo's new thumbnail from the response. */
const saveEdits: Kind['keep'] = (stage, { it }, { body }) =>
  stage.images.set(it, body.data.thumb.split('?')[0]);

/** Chooses mostly a recently edited photo, so that there is a history to return to. */
function latestEdited({ random, rows }: Chance): string | undefined {
  const edited = [...rows.photos.values()].filter(({ edits, isTrashed }) => edits.length > 0 && !isTrashed);
  return edited.length > 0 && random.chance(0.7) ? edited.at(-1)!.label : undefined;
}

const edit: Kind = {
  does: 'edit',
  weight: 6,
  isOwners: true,
  choose(chance) {
    const one = chooseOne(chance);
    const again = one && latestEdited(chance);
    return one && { it: again ?? one.it, action: chance.random.pick(Object.keys(edits)) };
  },
  say: ({ by, it, action }) => `${by} edits ${it}: ${action}`,
  happen(rows, step) {
    const problem = findProblem(rows, step);
    if (problem) return problem;
    const photo = rows.photos.get(step.it)!;
    photo.edits.push(step.action as string);
    return done({ ...computeSize(photo) });
  },
  send: (stage, who, { it, action }) =>
    who.post(`/api/photos/${idOf(stage, it)}/edit`, { action, params: edits[action as string]!.params }),
  keep: saveEdits,
};

const revert: Kind = {
  does: 'revert',
  weight: 4,
  isOwners: true,
  choose(chance) {
    const { random, rows } = chance;
    const some = latestEdited(chance);
    const one = some === undefined ? chooseOne(chance) : { it: some };
    const steps = one && rows.photos.get(one.it as string)?.edits.length;
    return one && { ...one, ...(random.chance(0.7) && { to: 1 + random.below((steps ?? 0) + 1) }) };
  },
  say: ({ by, it, to }) => `${by} takes ${it} back to ${to ? `step ${to}` : 'the original'}`,
  happen(rows, step) {
    const problem = findProblem(rows, step);
    if (problem) return problem;
    const photo = rows.photos.get(step.it)!;
    const kept = (step.to as number | undefined) ?? 0;
    if (kept > photo.edits.length) return refused(400);
    photo.edits = photo.edits.slice(0, kept);
    return done({ ...computeSize(photo) });
  },
  async send(stage, who, { it, to }) {
    const path = `/api/photos/${idOf(stage, it)}`;
    return who.post(
      `${path}/revert`,
      to === undefined ? undefined : { edit_id: await findEditId(stage, path, to) },
    );
  },
  keep: saveEdits,
};

/** Returns the id of an edit, or an unused id for an edit that does not exist. */
async function findEditId({ people }: Stage, path: string, place: unknown): Promise<number> {
  const { body } = await people.get('root')!.get(`${path}/edits`);
  return body.data?.list[(place as number) - 1]?.id ?? 999_999;
}

export const editSteps = [edit, revert];
