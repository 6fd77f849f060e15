/** Edits: a history of steps, and an image that is the original with all of them replayed and encoded once. */

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
import { getImage, parseStep, stepsOf } from './steps.ts';
import { showOriginal, showVersion } from './store.ts';

const maxWaitingEdits = 20;

/** Edits of one photo in this process wait for each other; those of other processes are noticed when storing. */
export function createPhotoEdits(deps: Deps) {
  const locks = new Map<number, { mutex: Mutex; users: number }>();

  async function alone<Result>(photoId: number, work: () => Promise<Result>): Promise<Result> {
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
      alone(photoId, () => applyStep(deps, viewer, photoId, step, signal)),
    /** Back to just after the step `editId`, or to the original. */
    revert: (
      viewer: Viewer,
      photoId: number,
      editId: number | undefined,
      signal?: AbortSignal,
    ): Promise<ImageNow> => alone(photoId, () => revertTo(deps, viewer, photoId, editId, signal)),
    /** Makes `steps` the whole history. */
    replace: (viewer: Viewer, photoId: number, steps: EditStep[], signal?: AbortSignal): Promise<ImageNow> =>
      alone(photoId, () => replaceHistory(deps, viewer, photoId, steps, signal)),
    /** The history, and the original that it begins with. */
    async list(viewer: Viewer, photoId: number): Promise<{ steps: EditRow[]; original: ImageRow }> {
      const { original_key } = await getManageablePhoto(deps, viewer, photoId);
      return { steps: await stepsOf(deps, photoId), original: await getImage(deps, original_key) };
    },
  };
}

/** Throws photoNotFound, photoForbidden, invalid naming the params' fields, or busy. */
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
  const steps = await stepsOf(deps, photoId);
  if (steps.length >= maxSteps) throw invalidFields({ action: [`a photo takes at most ${maxSteps} edits`] });
  const version = await renderSteps(deps, photo, [...steps.map(parseStep), step], {
    signal,
  });
  return showVersion(deps, { photo, viewer }, version, {
    kept: steps.at(-1)?.id ?? 0,
    steps: [{ step, createTime: deps.clock() }],
  });
}

/** Throws photoNotFound, photoForbidden, invalid when there is no such step, or busy. */
async function revertTo(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  editId: number | undefined,
  signal: AbortSignal | undefined,
): Promise<ImageNow> {
  if (signal?.aborted) throw new AbandonedError();
  const photo = await getManageablePhoto(deps, viewer, photoId);
  const steps = await stepsOf(deps, photoId);
  if (editId !== undefined && !steps.some(({ id }) => id === editId)) {
    throw invalidFields({ edit_id: ["is not a step of this photo's history"] });
  }
  const kept = editId === undefined ? [] : steps.filter(({ id }) => id <= editId);
  if (kept.length === steps.length) return { photo, image: await getImage(deps, photo.image_key) };
  if (kept.length === 0)
    return showOriginal(deps, { photo, viewer }, await getImage(deps, photo.original_key));
  const version = await renderSteps(deps, photo, kept.map(parseStep), { signal });
  return showVersion(deps, { photo, viewer }, version, { kept: editId!, steps: [] });
}
