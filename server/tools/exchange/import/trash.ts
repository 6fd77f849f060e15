/** Imports photos that were in the trash when they were exported. */
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { setTrashedLevel } from '../../../gallery/library/set-visibility.ts';
import { trashPhotoIn } from '../../../gallery/photos/trash/trash.ts';
import type { Level } from '../../../platform/db/states.ts';

/**
 * Moves an imported photo to the trash, where its thirty days start again. `level` is the level that the photo has
 * after a restore.
 */
export async function trashImportedPhoto(
  deps: Deps,
  viewer: Viewer,
  id: number,
  level: Level,
): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    await trashPhotoIn(deps, transaction, viewer, id);
    await setTrashedLevel(transaction, id, level);
  });
}
