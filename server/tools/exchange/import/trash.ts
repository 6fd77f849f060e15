/** A photo that was in the trash where it was exported is in the trash here, too. */
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { putIntoTrash } from '../../../gallery/photos/trash/trash.ts';

/** Its thirty days begin anew. `isPublic`: what it is again when its owner takes it out. */
export async function putExportedIntoTrash(
  deps: Deps,
  viewer: Viewer,
  id: number,
  isPublic: number,
): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    await putIntoTrash(deps, transaction, viewer, id);
    await transaction.updateTable('photos').set({ is_public: isPublic }).where('id', '=', id).execute();
  });
}
