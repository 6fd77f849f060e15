/** A whole history at once, of a photo that was edited elsewhere: every step is checked, and the image made once. */

import type { Deps } from '../../../deps.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { checkStep } from '../../../platform/imaging/edits/check.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { getManageablePhoto } from '../store.ts';
import { getImage, maxSteps } from './edit.ts';
import { renderSteps } from './image.ts';
import { insertVersion, type NewStep } from './store.ts';

/**
 * The photo has no steps yet. Throws photoNotFound, photoForbidden, busy, or an EditError for a step that does not fit.
 */
export async function insertHistory(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  history: NewStep[],
): Promise<void> {
  if (history.length > maxSteps) {
    throw errors.invalid({ message: `a photo takes at most ${maxSteps} edits` });
  }
  const photo = await getManageablePhoto(deps, viewer, photoId);
  const { frames } = await getImage(deps, photo.image_key);
  let size = { width: photo.width, height: photo.height, frames };
  for (const { step } of history) size = { ...checkStep(size, step, deps.config.maxMegapixels), frames };
  const version = await renderSteps(
    deps,
    photo,
    history.map(({ step }) => step),
  );
  await insertVersion(deps, { photo, viewer }, version, history);
}
