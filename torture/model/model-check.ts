/** Compares a gallery's responses for one viewer with the model, and describes differences as sentences. */
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../../test/support/people.ts';
import type { Rows, Visitor } from './rows.ts';
import type { Stage } from './steps/kind.ts';

export interface ModelCheck {
  rows: Rows;
  stage: Stage;
  viewer: Visitor;
  differences: string[];
  /** Returns the model's label of the thing with this id. */
  labelOf(kind: 'photo' | 'album' | 'comment' | 'share', id: number): string;
  nameOf(id: number): string;
  /** Returns the label of the photo with this thumbnail, or null without one. */
  photoAt(path: string): string | null;
  get(path: string): Promise<Answer>;
}

export function createModelCheck(
  stage: Stage,
  rows: Rows,
  viewer: Visitor,
  differences: string[],
): ModelCheck {
  const labels = new Map([...stage.ids].map(([label, id]) => [`${label.split(' ')[0]} ${id}`, label]));
  const photos = new Map([...stage.images].map(([label, path]) => [path, label]));
  return {
    rows,
    stage,
    viewer,
    differences,
    labelOf: (kind, id) => labels.get(`${kind} ${id}`) ?? `unknown ${kind} ${id}`,
    nameOf: (id) =>
      [...stage.people.values()].find((person) => person.id === id)?.name ?? `unknown user ${id}`,
    photoAt: (path) => (path === '' ? null : (photos.get(path.split('?')[0]!) ?? `unknown image ${path}`)),
    get: (path) => stage.people.get(viewer)!.get(path),
  };
}

/** Records a difference; `what` names the compared value. */
export function compare(
  { viewer, differences }: ModelCheck,
  what: string,
  seen: unknown,
  expected: unknown,
): void {
  if (isDeepStrictEqual(seen, expected)) return;
  differences.push(
    `${viewer} looks at ${what}: sees ${JSON.stringify(seen)}, and is to see ${JSON.stringify(expected)}`,
  );
}

/** Compares a list's photos by label and order, and its total. Returns the response. */
export async function comparePhotos(
  look: ModelCheck,
  path: string,
  expected: { label: string }[],
  { isOrdered = true } = {},
): Promise<Answer> {
  const answer = await look.get(path);
  const { body } = answer;
  compare(look, `${path} (code)`, body.code, 0);
  if (body.code !== 0) return answer;
  const seen = body.data.list.map(({ id }: { id: number }) => look.labelOf('photo', id));
  const labels = expected.map(({ label }) => label);
  compare(look, path, isOrdered ? seen : seen.sort(), isOrdered ? labels : labels.sort());
  compare(look, `the total of ${path}`, body.data.pagination.total, labels.length);
  return answer;
}

/** Compares a list of people with the model, in any order. */
export async function compareNames(look: ModelCheck, path: string, expected: string[]): Promise<void> {
  const { body } = await look.get(path);
  const seen = (body.data?.list ?? []).map(({ id }: { id: number }) => look.nameOf(id));
  compare(look, path, seen.sort(), [...expected].sort());
  compare(look, `the total of ${path}`, body.data?.pagination.total, expected.length);
}
