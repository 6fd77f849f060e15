/** Visibility flows down: from an album to the albums in it, and to the photos of all of them. */
import type { Transaction } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { AlbumRow, Tables } from '../../platform/db/tables.ts';
import { isEnabled, showPhotos } from './show.ts';
import { findBranch } from './tree.ts';

/** Makes the kept visibility of the album and all below it true again. The owner's library is locked. */
export async function flowVisibility(
  deps: Deps,
  transaction: Transaction<Tables>,
  album: Pick<AlbumRow, 'id' | 'parent_id'>,
): Promise<void> {
  const now = new Map<number, number>();
  if (album.parent_id !== null) {
    const parent = await transaction
      .selectFrom('albums')
      .select('visibility')
      .where('id', '=', album.parent_id)
      .executeTakeFirstOrThrow();
    now.set(album.parent_id, parent.visibility);
  }
  const branch = await findBranch(transaction, album.id);
  const isOwnerEnabled = await isEnabled(transaction, branch[0]!.user_id);
  for (const { id, user_id, parent_id, is_public, visibility } of branch) {
    const above = parent_id === null ? 2 : now.get(parent_id)!;
    const visible = is_public === 1 && above === 2 && isOwnerEnabled ? 2 : 1;
    now.set(id, visible);
    if (visible === visibility) continue;
    await transaction.updateTable('albums').set({ visibility: visible }).where('id', '=', id).execute();
    await showPhotos(deps, transaction, { id, user_id }, visible);
  }
}
