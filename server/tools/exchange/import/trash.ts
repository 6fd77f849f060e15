/** Imports photos that were in the trash when they were exported. */
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { trashPhotoIn } from '../../../gallery/photos/trash/trash.ts';

/**
 * Moves an imported photo to the trash, where its thirty days start again. `isPublic` is the setting that the photo has
 * after a restore.
 */
export async function putExportedIntoTrash(
  deps: Deps,
  viewer: Viewer,
  id: number,
  isPublic: number,
): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    await trashPhotoIn(deps, transaction, viewer, id);
    await transaction.updateTable('photos').set({ is_public: isPublic }).where('id', '=', id).execute();
  });
}
