/**
 * Edits of photos. A photo stores a history of steps, and its image is the original with all steps applied and encoded
 * once.
 */

import type { Deps } from '../../../deps.ts';
import { createMutex, type Mutex } from '../../../platform/concurrency/mutex.ts';
import type { EditRow, ImageRow } from '../../../platform/db/tables.ts';
import { errors, invalidFields } from '../../../platform/errors/catalogue.ts';
import { type EditStep, maxSteps } from '../../../platform/imaging/edits/actions.ts';
import { checkStep } from '../../../platform/imaging/edits/check.ts';
import { AbandonedError } from '../../../platform/imaging/errors.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { getManageablePhoto } from '../store.ts';
import { replaceHistory } from './history.ts';
import { type ImageNow, renderSteps } from './image.ts';
import { findSteps, getImage, parseStep } from './steps.ts';
import { showOriginal, showVersion } from './store.ts';

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
    apply: (viewer: Viewer, photoId: number, step: EditStep, signal?: AbortSignal): Promise<ImageNow> =>
      withPhotoLock(photoId, () => applyStep(deps, viewer, photoId, step, signal)),
    /** Reverts the photo to its state after the step `editId`, or to the original. */
    revert: (
      viewer: Viewer,
      photoId: number,
      editId: number | undefined,
      signal?: AbortSignal,
    ): Promise<ImageNow> => withPhotoLock(photoId, () => revertTo(deps, viewer, photoId, editId, signal)),
    /** Replaces the whole edit history of a photo by `steps`. */
    replace: (viewer: Viewer, photoId: number, steps: EditStep[], signal?: AbortSignal): Promise<ImageNow> =>
      withPhotoLock(photoId, () => replaceHistory(deps, viewer, photoId, steps, signal)),
    /** Returns the edit steps of a photo, and the original that the steps apply to. */
    async list(viewer: Viewer, photoId: number): Promise<{ steps: EditRow[]; original: ImageRow }> {
      const { original_key } = await getManageablePhoto(deps, viewer, photoId);
      return { steps: await findSteps(deps, photoId), original: await getImage(deps, original_key) };
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
): Promise<ImageNow> {
  if (signal?.aborted) throw new AbandonedError();
  const photo = await getManageablePhoto(deps, viewer, photoId);
  const current = await getImage(deps, photo.image_key);
  const { maxMegapixels } = deps.config;
  checkStep({ width: photo.width, height: photo.height, frames: current.frames }, step, maxMegapixels);
  const steps = await findSteps(deps, photoId);
  if (steps.length >= maxSteps)
    throw invalidFields({ action: [`A photo can have at most ${maxSteps} edits`] });
  const version = await renderSteps(deps, photo, [...steps.map(parseStep), step], {
    signal,
  });
  return showVersion(deps, { photo, viewer }, version, {
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
): Promise<ImageNow> {
  if (signal?.aborted) throw new AbandonedError();
  const photo = await getManageablePhoto(deps, viewer, photoId);
  const steps = await findSteps(deps, photoId);
  if (editId !== undefined && !steps.some(({ id }) => id === editId)) {
    throw invalidFields({ edit_id: ["Is not a step of this photo's history"] });
  }
  const kept = editId === undefined ? [] : steps.filter(({ id }) => id <= editId);
  if (kept.length === steps.length) return { photo, image: await getImage(deps, photo.image_key) };
  if (kept.length === 0)
    return showOriginal(deps, { photo, viewer }, await getImage(deps, photo.original_key));
  const version = await renderSteps(deps, photo, kept.map(parseStep), { signal });
  return showVersion(deps, { photo, viewer }, version, { kept: editId!, steps: [] });
}
