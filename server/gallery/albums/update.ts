/** Changes an album's texts, parent, visibility, rule and cover, and deletes albums. */

import type { Deps } from '../../deps.ts';
import { idsOf } from '../../platform/db/rows.ts';
import type { AlbumRow, Transaction } from '../../platform/db/tables.ts';
import { errors, invalidFieldsError } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../identity/viewer.ts';
import { clearLostCovers } from '../library/album-photos.ts';
import { removeAlbum, setAlbumVisibility } from '../library/album-visibility.ts';
import { getTargetAlbum, isSmartAlbum, lockAlbum } from '../library/albums.ts';
import { isAlbumVisibilitySettled, updateAlbumPhotoVisibility } from '../library/follow.ts';
import { readRequestedLevel } from '../library/level-fields.ts';
import { canSetLevel } from '../library/permissions.ts';
import {
  type BranchAlbum,
  findAlbumBranch,
  findLevelAfterMove,
  findParentAlbums,
  maxAlbumDepth,
} from '../library/tree.ts';
import { visibilitiesOutsideTrash } from '../library/visibility-rule.ts';
import { auditActOnOthers } from '../moderation/audit.ts';
import { buildAlbumTextColumns } from './create.ts';
import { decideRuleAfterUpdate } from './rule.ts';
import type { AlbumUpdate } from './schema.ts';

const onlyOwnerWidens = 'Only the owner can show the album to more people';

/**
 * Updates an album. Missing fields stay unchanged. Throws invalid, albumNotFound, albumForbidden, albumIsSmart or
 * albumNesting, without any change.
 */
export async function updateAlbum(
  deps: Deps,
  viewer: Viewer,
  id: number,
  change: AlbumUpdate,
): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const album = await lockAlbum(deps, transaction, viewer, id);
    const branch = await findAlbumBranch(transaction, id);
    const parentId = change.parent_id === undefined ? album.parent_id : change.parent_id || null;
    const left = parentId === album.parent_id ? [] : await checkMove(transaction, album, branch, parentId);
    const kept = await findLevelAfterMove(transaction, album.level, album.parent_id, parentId);
    const named = readRequestedLevel(change, album.level);
    if (!canSetLevel(viewer, { ...album, level: kept }, named)) {
      throw errors.albumForbidden({ message: onlyOwnerWidens });
    }
    const level = named ?? kept;
    const rule = await decideRuleAfterUpdate(transaction, album, change.rule);
    if (change.cover_id) await checkCover(transaction, album, branch, change.cover_id);
    await transaction
      .updateTable('albums')
      .set({
        ...buildAlbumTextColumns(change.name ?? album.name, change.description ?? album.description),
        parent_id: parentId,
        level,
        rule,
        ...(change.cover_id !== undefined && { cover_id: change.cover_id || null }),
        update_time: deps.clock(),
      })
      .where('id', '=', id)
      .execute();
    await clearLostCovers(transaction, await findCoverIds(transaction, left));
    if (parentId !== album.parent_id || level !== album.level) {
      await setAlbumVisibility(deps, transaction, album);
    }
    await auditActOnOthers(deps, transaction, viewer, album, {
      action: 'album.update',
      target: { type: 'album', id, name: album.name },
      details: { fields: Object.keys(change) },
    });
  });
}

/**
 * Checks the move of an album into another album. The caller has locked the library, so two moves at once cannot create
 * a cycle. Returns the ids of the albums that no longer are above the moved album.
 */
async function checkMove(
  transaction: Transaction,
  album: AlbumRow,
  branch: BranchAlbum[],
  parentId: number | null,
): Promise<number[]> {
  if (parentId !== null) await getTargetAlbum(transaction, album.user_id, parentId);
  const parents = await findParentAlbums(transaction, parentId);
  const height = Math.max(...branch.map(({ depth }) => depth));
  const wouldContainItself = parents.some(({ id }) => id === album.id);
  if (wouldContainItself || parents.length + height > maxAlbumDepth) throw errors.albumNesting();
  const left = await findParentAlbums(transaction, album.parent_id);
  return idsOf(left.filter(({ id }) => !parents.some((still) => still.id === id)));
}

/** Returns the covers that the owner has chosen for the albums. */
async function findCoverIds(transaction: Transaction, albumIds: number[]): Promise<number[]> {
  if (albumIds.length === 0) return [];
  const albums = await transaction
    .selectFrom('albums')
    .select('cover_id')
    .where('id', 'in', albumIds)
    .execute();
  return albums.flatMap(({ cover_id }) => cover_id ?? []);
}

async function checkCover(
  transaction: Transaction,
  album: AlbumRow,
  branch: BranchAlbum[],
  coverId: number,
): Promise<void> {
  if (isSmartAlbum(album))
    throw invalidFieldsError({
      cover_id: ['Cannot be set for a smart album, whose cover is always its newest photo'],
    });
  const cover = await transaction
    .selectFrom('album_photos')
    .select('photo_id')
    .where('photo_id', '=', coverId)
    .where('album_id', 'in', idsOf(branch))
    .where('visibility', 'in', visibilitiesOutsideTrash)
    .executeTakeFirst();
  if (!cover) {
    throw invalidFieldsError({ cover_id: ['Is not a photo of this album or of an album below it'] });
  }
}

/**
 * Deletes an album and its share links. Its photos stay without an album, and keep the level that counted in the album.
 * Throws albumNotFound or albumForbidden.
 */
export async function deleteAlbum(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  // The photos of a large album that was hidden a moment ago follow first, so that no photo becomes visible.
  for (;;) {
    const unsettled = await deleteSettledAlbum(deps, viewer, id);
    if (!unsettled) return;
    await updateAlbumPhotoVisibility(deps, unsettled);
  }
}

/** Deletes an album, or returns the album if its photos have not followed its visibility yet. */
async function deleteSettledAlbum(deps: Deps, viewer: Viewer, id: number): Promise<AlbumRow | undefined> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const album = await lockAlbum(deps, transaction, viewer, id);
    if (!(await isAlbumVisibilitySettled(transaction, album))) return album;
    await removeAlbum(deps, transaction, album);
    await auditActOnOthers(deps, transaction, viewer, album, {
      action: 'album.delete',
      target: { type: 'album', id, name: album.name },
    });
    return undefined;
  });
}
