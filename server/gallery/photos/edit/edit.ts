/**
 * Edits of photos. A photo stores a history of steps, and its image is the original with all steps applied and encoded
 * once.
 */

import type { Deps } from '../../../deps.ts';
import { createMutex, type Mutex } from '../../../platform/concurrency/mutex.ts';
import type { EditRow, ImageRow } from '../../../platform/db/tables.ts';
import { errors, invalidFieldsError } from '../../../platform/errors/catalogue.ts';
import { type EditStep, maxEditSteps } from '../../../platform/imaging/edits/actions.ts';
import { checkEditStep } from '../../../platform/imaging/edits/check.ts';
import { AbandonedJobError } from '../../../platform/imaging/errors.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { getManageablePhoto } from '../store.ts';
import { replaceEditHistory } from './history.ts';
import { type CurrentPhotoImage, renderEditSteps } from './image.ts';
import { findEditSteps, getImageVersion, parseEditStep } from './steps.ts';
import { revertToOriginal, showNewImageVersion } from './store.ts';

const maxWaitingEdits = 20;

/**
 * Returns the edit operations. Edits of the same photo in this process wait for each other. A conflict with another
 * process is detected when the result is stored.
 */
export function createPhotoEdits(deps: Deps) {
  const locks = new Map<number, { mutex: Mutex; users: number }>();

  async function withPhotoLock<Result>(photoId: number, work: () => Promise<Result>): Promise<Result> {
    const entry = locks.get(photoId) ?? {
      mutex: createMutex(maxWaitingEdits, () => errors.busy({ retryAfter: 5 })),
      users: 0,
    };
    locks.set(photoId, entry);
    entry.users++;
    try {
      return await entry.mutex.with(work);
    } finally {
      if (--entry.users === 0) locks.delete(photoId);
    }
  }

  return {
    apply: (
      viewer: Viewer,
      photoId: number,
      step: EditStep,
      signal?: AbortSignal,
    ): Promise<CurrentPhotoImage> =>
      withPhotoLock(photoId, () => applyStep(deps, viewer, photoId, step, signal)),
    /** Reverts the photo to its state after the step `editId`, or to the original. */
    revert: (
      viewer: Viewer,
      photoId: number,
      editId: number | undefined,
      signal?: AbortSignal,
    ): Promise<CurrentPhotoImage> =>
      withPhotoLock(photoId, () => revertTo(deps, viewer, photoId, editId, signal)),
    /** Replaces the whole edit history of a photo by `steps`. */
    replace: (
      viewer: Viewer,
      photoId: number,
      steps: EditStep[],
      signal?: AbortSignal,
    ): Promise<CurrentPhotoImage> =>
      withPhotoLock(photoId, () => replaceEditHistory(deps, viewer, photoId, steps, signal)),
    /** Returns the edit steps of a photo, and the original that the steps apply to. */
    async list(viewer: Viewer, photoId: number): Promise<{ steps: EditRow[]; original: ImageRow }> {
      const { original_key } = await getManageablePhoto(deps, viewer, photoId);
      return {
        steps: await findEditSteps(deps, photoId),
        original: await getImageVersion(deps, original_key),
      };
    },
  };
}

/**
 * Adds a step to a photo's history. Throws photoNotFound, photoForbidden, busy, or invalid with the names of the bad
 * fields.
 */
async function applyStep(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  step: EditStep,
  signal: AbortSignal | undefined,
): Promise<CurrentPhotoImage> {
  if (signal?.aborted) throw new AbandonedJobError();
  const photo = await getManageablePhoto(deps, viewer, photoId);
  const current = await getImageVersion(deps, photo.image_key);
  const { maxMegapixels } = deps.config;
  checkEditStep({ width: photo.width, height: photo.height, frames: current.frames }, step, maxMegapixels);
  const steps = await findEditSteps(deps, photoId);
  if (steps.length >= maxEditSteps)
    throw invalidFieldsError({ action: [`A photo can have at most ${maxEditSteps} edits`] });
  const version = await renderEditSteps(deps, photo, [...steps.map(parseEditStep), step], {
    signal,
  });
  return showNewImageVersion(deps, { photo, viewer }, version, {
    kept: steps.at(-1)?.id ?? 0,
    steps: [{ step, createTime: deps.clock() }],
  });
}

/**
 * Reverts a photo to an earlier step. Throws photoNotFound, photoForbidden, busy, or invalid if the step does not
 * exist.
 */
async function revertTo(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  editId: number | undefined,
  signal: AbortSignal | undefined,
): Promise<CurrentPhotoImage> {
  if (signal?.aborted) throw new AbandonedJobError();
  const photo = await getManageablePhoto(deps, viewer, photoId);
  const steps = await findEditSteps(deps, photoId);
  if (editId !== undefined && !steps.some(({ id }) => id === editId)) {
    throw invalidFieldsError({ edit_id: ["Is not a step of this photo's history"] });
  }
  const kept = editId === undefined ? [] : steps.filter(({ id }) => id <= editId);
  if (kept.length === steps.length) return { photo, image: await getImageVersion(deps, photo.image_key) };
  if (kept.length === 0)
    return revertToOriginal(deps, { photo, viewer }, await getImageVersion(deps, photo.original_key));
  const version = await renderEditSteps(deps, photo, kept.map(parseEditStep), { signal });
  return showNewImageVersion(deps, { photo, viewer }, version, { kept: editId!, steps: [] });
}
