/** Restores what an export of Lightwell says about a photo beyond its fields. */
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { readRequestedLevel } from '../../../gallery/library/level-fields.ts';
import { insertEditHistory } from '../../../gallery/photos/edit/history.ts';
import { changeReaction } from '../../../gallery/photos/likes.ts';
import type { SamePhoto } from '../../../gallery/photos/upload/same-original.ts';
import { Level } from '../../../platform/db/states.ts';
import type { EditStep } from '../../../platform/imaging/edits/actions.ts';
import { type PhotoJson, parseExportTime } from '../schema.ts';
import { trashImportedPhoto } from './trash.ts';

/** Returns the level of an exported photo. Exports of earlier versions have only `is_public`. */
export function getExportedLevel(exported: PhotoJson): Level {
  return readRequestedLevel(exported) ?? Level.private;
}

/**
 * Restores the reactions and edits of a photo, and moves a trashed photo to the trash. If the import is interrupted
 * before that move, the photo stays private.
 */
export async function restoreExported(
  deps: Deps,
  viewer: Viewer,
  id: number,
  { exported, isPrivate }: { exported: PhotoJson; isPrivate: boolean },
): Promise<void> {
  try {
    await addReactions(deps, viewer, id, exported);
    await insertEdits(deps, viewer, id, exported);
  } finally {
    if (exported.delete_time !== undefined) {
      await trashImportedPhoto(deps, viewer, id, isPrivate ? Level.private : getExportedLevel(exported));
    }
  }
}

/**
 * Adds the edits of a photo if an earlier import was interrupted before them. Photos from other sources stay unchanged.
 */
export async function finishEdits(
  deps: Deps,
  viewer: Viewer,
  photo: SamePhoto,
  exported: PhotoJson,
): Promise<void> {
  const isFromHere = parseExportTime(exported.create_time) === photo.create_time;
  if (isFromHere && photo.image_key === photo.original_key) {
    await insertEdits(deps, viewer, photo.id, exported);
  }
}

/** Restores the owner's like and favorite of their own photo. */
async function addReactions(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  { is_liked, is_favorited }: PhotoJson,
) {
  if (is_liked) await changeReaction(deps, viewer, photoId, 'likes', true);
  if (is_favorited) await changeReaction(deps, viewer, photoId, 'favorites', true);
}

async function insertEdits(deps: Deps, viewer: Viewer, photoId: number, { edits }: PhotoJson): Promise<void> {
  if (edits.length === 0) return;
  const history = edits.map(({ action, params, create_time }) => ({
    step: { action, params } as EditStep,
    createTime: parseExportTime(create_time),
  }));
  await insertEditHistory(deps, viewer, photoId, history);
}
