/** Moves photos into an album or out of every album, and updates their positions, visibility, covers and counts. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { idsOf } from '../../platform/db/rows.ts';
import { type Level, Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, Transaction } from '../../platform/db/tables.ts';
import { allocatePositions, countChanges } from './counts.ts';
import type { MovedPhoto } from './locks.ts';
import { writeVisibility } from './set-visibility.ts';
import { writing } from './tables.ts';
import { findParents, findWidestInAlbum } from './tree.ts';
import { decideVisibility, levelFor, listedVisibilities, narrowLevel } from './visibility-rule.ts';

/** Album into which photos move, with the visibility that it has after the move. */
export type TargetAlbum = Pick<AlbumRow, 'id' | 'visibility'>;

/**
 * Makes `album` the main album of the photos, or removes them from every album if `album` is undefined. New photos
 * get the last positions of the album, in the given order. Photos already in the album stay at their position and
 * take its visibility. Trashed photos stay in the trash. A photo that leaves an album keeps the level that counted
 * there, unless `level` names the new level of all photos. `lockPhotos` must have locked the photos, at most a chunk
 * of one owner. Returns the changed rows.
 */
export async function moveToAlbum(
  deps: Pick<Deps, 'db'>,
  transaction: Transaction,
  photos: MovedPhoto[],
  album: TargetAlbum | undefined,
  level?: Level,
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
  await joinAlbum(transaction, joining, album);
  const changed = moves.filter(({ from, to }) => from.visibility !== to.visibility);
  for (const to of listedVisibilities) {
    const some = changed.filter((move) => move.to.visibility === to).map(({ from }) => from);
    await writeVisibility(deps, transaction, some, to);
  }
  const [first] = photos;
  if (first) await countChanges(transaction, first.user_id, moves);
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
    for (const { id, level } of some) levels.set(id, levelFor(narrowLevel(level, widest)));
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
    await writing(transaction).updateTable('photos').set({ level }).where('id', 'in', idsOf(some)).execute();
  }
}

async function joinAlbum(
  transaction: Transaction,
  photos: MovedPhoto[],
  album: TargetAlbum | undefined,
): Promise<void> {
  if (photos.length === 0) return;
  const ids = idsOf(photos);
  const first = album ? await allocatePositions(transaction, album.id, ids.length) : 0;
  const positions = new Map(ids.map((id, index) => [id, first + index]));
  await writing(transaction)
    .updateTable('photos')
    .set({ album_id: album?.id ?? null, album_position: album ? positionsInSql(positions) : 0 })
    .where('id', 'in', ids)
    .execute();
  await clearCovers(transaction, ids, album);
}

/** Clears the albums whose cover is one of the moved photos and is no longer in the album or in an album below it. */
async function clearCovers(
  transaction: Transaction,
  ids: number[],
  album: TargetAlbum | undefined,
): Promise<void> {
  const holders = album ? idsOf(await findParents(transaction, album.id)) : [];
  let covers = transaction.updateTable('albums').set({ cover_id: null }).where('cover_id', 'in', ids);
  if (holders.length > 0) covers = covers.where('id', 'not in', holders);
  await covers.execute();
}

/**
 * Writes new positions of photos within one album. The caller has locked the photos, at most a chunk, and their
 * library.
 */
export async function setPositions(transaction: Transaction, positions: Map<number, number>): Promise<void> {
  if (positions.size === 0) return;
  await writing(transaction)
    .updateTable('photos')
    .set({ album_position: positionsInSql(positions) })
    .where('id', 'in', [...positions.keys()])
    .execute();
}

function positionsInSql(positions: Map<number, number>) {
  const cases = [...positions].map(([id, position]) => sql`WHEN ${id} THEN ${position}`);
  return sql<number>`CAST(CASE id ${sql.join(cases, sql` `)} END AS bigint)`;
}
