/** Comparison of a list of photos with the model. */
import {
  ask,
  type Context,
  compareCount,
  compareLabels,
  compareStatus,
  compareValues,
  type Difference,
  findFirst,
  listLabels,
} from './check.ts';
import { presentLevel } from './decide.ts';
import { photoLevel } from './levels.ts';
import type { ModelAnswer } from './requests.ts';
import { findLabel } from './stage.ts';
import type { Photo, Viewer } from './state.ts';

interface Page {
  list: { id: number; visibility: string; is_public: number; effective_visibility: string }[];
  pagination: { total: number };
}

/** Compares the photos of a list with their order and levels, and its total. */
export async function checkPhotoList(
  context: Context,
  viewer: Viewer,
  path: string,
  wanted: ModelAnswer,
  photos: Photo[],
  isOrdered = true,
): Promise<Difference | undefined> {
  const answer = await ask(context, viewer, `${path}limit=100`);
  const differs = compareStatus(context, viewer, answer, wanted);
  if (differs || answer.status !== 200) return differs;
  return comparePage(context, answer.body.data, photos, isOrdered);
}

export function comparePage(
  context: Context,
  { list, pagination }: Page,
  photos: Photo[],
  isOrdered = true,
): Difference | undefined {
  const shown = list.map(({ id }) => findLabel(context.stage, 'photo', id));
  const levels = photos.map((photo) => {
    const item = list[shown.indexOf(photo.label)];
    if (!item) return undefined;
    const { visibility, is_public, effective_visibility } = item;
    return compareValues(
      `the level of ${photo.label}`,
      { visibility, is_public, effective_visibility },
      {
        ...presentLevel(photo),
        effective_visibility: photo.isTrashed ? 'private' : photoLevel(context.state, photo),
      },
    );
  });
  return findFirst(
    compareLabels(shown, listLabels(photos)),
    compareCount(context, 'the total', pagination.total, photos.length),
    isOrdered ? compareValues('the order', shown, listLabels(photos)) : undefined,
    ...levels,
  );
}
