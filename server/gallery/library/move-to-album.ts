/** Changes the main album of photos, and updates their positions, visibility, covers and counts. */
import type { Deps } from '../../deps.ts';
import { idsOf } from '../../platform/db/rows.ts';
import { type Level, Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, Transaction } from '../../platform/db/tables.ts';
import { type AlbumAddition, deleteFromAlbum, insertIntoAlbum } from './album-photos.ts';
import { updatePhotoTotals } from './counts.ts';
import type { MovedPhoto } from './locks.ts';
import { writePhotoVisibility } from './set-visibility.ts';
import { asLibraryWriter } from './tables.ts';
import { findWidestInAlbum } from './tree.ts';
import {
  decideVisibility,
  getLevelForVisibility,
  narrowLevel,
  visibilitiesOutsideTrash,
} from './visibility-rule.ts';

/** Album into which photos move, with the visibility that it has after the move. */
export type TargetAlbum = Pick<AlbumRow, 'id' | 'visibility'>;

export interface MainAlbumMove {
  /** New main album, or undefined if the photos have no main album afterwards. */
  album: TargetAlbum | undefined;
  /** New level of all photos. Without it, a photo that leaves an album keeps the level that counted there. */
  level?: Level | undefined;
  /** Id of the user who moves the photos. */
  addedBy: number;
}

/**
 * Makes `album` the main album of the photos. Photos that the album did not contain get its last positions, in the given
 * order. The other photos stay at their position. The photos leave their previous main album. Trashed photos stay in the
 * trash. `lockPhotos` must have locked the photos, at most a chunk of one owner. Returns the changed rows.
 */
export async function moveToAlbum(
  deps: Pick<Deps, 'db' | 'clock'>,
  transaction: Transaction,
  photos: MovedPhoto[],
  { album, level, addedBy }: MainAlbumMove,
): Promise<MovedPhoto[]> {
  const album_id = album?.id ?? null;
  const levels =
    level === undefined
      ? await findLevelsAfterLeaving(transaction, photos, album_id)
      : new Map(photos.map(({ id }) => [id, level]));
  const moves = photos.map((photo) => {
    const now = { ...photo, album_id, level: levels.get(photo.id) ?? photo.level };
    return { from: photo, to: { ...now, visibility: visibilityIn(now, album) } };
  });
  await writeLevels(transaction, moves);
  const joining = moves.filter(({ from }) => from.album_id !== album_id).map(({ from }) => from);
  await writeMainAlbum(transaction, joining, album, { addedBy, now: deps.clock() });
  const changed = moves.filter(({ from, to }) => from.visibility !== to.visibility);
  for (const to of visibilitiesOutsideTrash) {
    const some = changed.filter((move) => move.to.visibility === to).map(({ from }) => from);
    await writePhotoVisibility(deps, transaction, some, to);
  }
  const [first] = photos;
  if (first) await updatePhotoTotals(transaction, first.user_id, moves);
  return moves.map(({ to }) => to);
}

function visibilityIn(photo: MovedPhoto, album: TargetAlbum | undefined): Visibility {
  return photo.visibility === Visibility.trash ? Visibility.trash : decideVisibility(photo, album);
}

/** Returns the new levels of the photos that leave an album, by photo id. */
async function findLevelsAfterLeaving(
  transaction: Transaction,
  photos: MovedPhoto[],
  to: number | null,
): Promise<Map<number, Level>> {
  const leaving = photos.filter(({ album_id }) => album_id !== null && album_id !== to);
  const levels = new Map<number, Level>();
  for (const [albumId, some] of Map.groupBy(leaving, ({ album_id }) => album_id!)) {
    const widest = await findWidestInAlbum(transaction, albumId);
    for (const { id, level } of some) levels.set(id, getLevelForVisibility(narrowLevel(level, widest)));
  }
  return levels;
}

interface PhotoMove {
  from: MovedPhoto;
  to: MovedPhoto;
}

async function writeLevels(transaction: Transaction, moves: PhotoMove[]): Promise<void> {
  const changed = moves.filter(({ from, to }) => from.level !== to.level).map(({ to }) => to);
  for (const [level, some] of Map.groupBy(changed, (photo) => photo.level)) {
    await asLibraryWriter(transaction)
      .updateTable('photos')
      .set({ level })
      .where('id', 'in', idsOf(some))
      .execute();
  }
}

async function writeMainAlbum(
  transaction: Transaction,
  photos: MovedPhoto[],
  album: TargetAlbum | undefined,
  addition: AlbumAddition,
): Promise<void> {
  if (photos.length === 0) return;
  const ids = idsOf(photos);
  await asLibraryWriter(transaction)
    .updateTable('photos')
    .set({ album_id: album?.id ?? null })
    .where('id', 'in', ids)
    .execute();
  if (album) await insertIntoAlbum(transaction, album, ids, addition);
  for (const [left, some] of Map.groupBy(photos, ({ album_id }) => album_id)) {
    if (left !== null) await deleteFromAlbum(transaction, left, idsOf(some));
  }
}
