/** Sets a whole history of edits at once: checks every step and renders the image once. */

import { isDeepStrictEqual } from 'node:util';
import type { Deps } from '../../../deps.ts';
import type { EditRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { type EditStep, maxEditSteps } from '../../../platform/imaging/edits/actions.ts';
import { checkEditStep } from '../../../platform/imaging/edits/check.ts';
import { AbandonedJobError, EditError } from '../../../platform/imaging/errors.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { getManageablePhoto } from '../store.ts';
import { type CurrentPhotoImage, renderEditSteps } from './image.ts';
import { findEditSteps, getImageVersion, parseEditStep } from './steps.ts';
import { type NewEditStep, revertToOriginal, showNewImageVersion } from './store.ts';

/**
 * Inserts the history of an imported photo with the original times of its steps. Throws the same errors as
 * `replaceEditHistory`.
 */
export async function insertEditHistory(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  history: NewEditStep[],
): Promise<void> {
  await changeHistory(deps, viewer, photoId, history);
}

/**
 * Replaces a photo's history by `steps`. Equal steps at the beginning keep their ids, and an equal history changes
 * nothing. Throws photoNotFound, photoForbidden, busy, or an EditError with the number of the first invalid step.
 */
export function replaceEditHistory(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  steps: EditStep[],
  signal?: AbortSignal,
): Promise<CurrentPhotoImage> {
  const createTime = deps.clock();
  return changeHistory(
    deps,
    viewer,
    photoId,
    steps.map((step) => ({ step, createTime })),
    signal,
  );
}

async function changeHistory(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  history: NewEditStep[],
  signal?: AbortSignal,
): Promise<CurrentPhotoImage> {
  if (signal?.aborted) throw new AbandonedJobError();
  if (history.length > maxEditSteps) {
    throw errors.invalid({ message: `A photo can have at most ${maxEditSteps} edits` });
  }
  const photo = await getManageablePhoto(deps, viewer, photoId);
  const original = await getImageVersion(deps, photo.original_key);
  const steps = history.map(({ step }) => step);
  checkAll(deps, original, steps);
  const current = await findEditSteps(deps, photoId);
  const same = countSameSteps(current, steps);
  if (same === steps.length && same === current.length) {
    return { photo, image: await getImageVersion(deps, photo.image_key) };
  }
  if (steps.length === 0) return revertToOriginal(deps, { photo, viewer }, original);
  const version = await renderEditSteps(deps, photo, steps, { signal });
  return showNewImageVersion(deps, { photo, viewer }, version, {
    kept: current[same - 1]?.id ?? 0,
    steps: history.slice(same),
  });
}

/** Checks every step against the image size after the step before it. */
function checkAll(
  { config }: Deps,
  { width, height, frames }: { width: number; height: number; frames: number },
  steps: EditStep[],
): void {
  let size = { width, height };
  for (const [index, step] of steps.entries()) {
    try {
      size = checkEditStep({ ...size, frames }, step, config.maxMegapixels);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      const named = Object.entries(error.errors).map(([field, said]) => [`steps.${index}.${field}`, said]);
      throw new EditError(Object.fromEntries(named));
    }
  }
}

/**
 * Returns the number of equal steps at the beginning of two histories. The order of fields within a step does not
 * matter.
 */
function countSameSteps(current: EditRow[], steps: EditStep[]): number {
  const isSame = (step: EditStep, row: EditRow | undefined) =>
    row !== undefined && isDeepStrictEqual(step, parseEditStep(row));
  const differs = steps.findIndex((step, index) => !isSame(step, current[index]));
  return differs < 0 ? steps.length : differs;
}
