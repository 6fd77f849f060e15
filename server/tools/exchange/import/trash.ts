/** Imports photos that were in the trash when they were exported. */
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { setTrashedLevel } from '../../../gallery/library/set-visibility.ts';
import { trashPhotoIn } from '../../../gallery/photos/trash/trash.ts';
import { Level } from '../../../platform/db/states.ts';
import type { Transaction } from '../../../platform/db/tables.ts';

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

/** Moves a new photo to the trash in the transaction that inserts the photo, so that no kill comes between. */
export function trashNewPhoto(deps: Deps, viewer: Viewer) {
  return async (transaction: Transaction, id: number): Promise<void> => {
    await trashPhotoIn(deps, transaction, viewer, id);
    await setTrashedLevel(transaction, id, Level.private);
  };
}
