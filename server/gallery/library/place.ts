/** Puts photos into an album, or out of every album, with all that follows from it. */
import { sql, type Transaction } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Tables, Visibility } from '../../platform/db/tables.ts';
import { type AlbumCounts, addToAlbum, countsBetween, takePositions } from './counts.ts';
import { findParents } from './tree.ts';
import { addToTotals, effectiveVisibility, type OwnedPhotoRow } from './visibility.ts';
import { ownerStatus } from './visible.ts';

export type PlacedPhoto = Pick<
  OwnedPhotoRow,
  'id' | 'user_id' | 'album_id' | 'is_public' | 'visibility' | 'owner_status'
>;

/** The album as it is from now on. */
export interface Place {
  id: number;
  visibility: number;
}

/** So many at a time: a statement's parameters are limited, and on PostgreSQL so is its time. */
export const chunkSize = 500;

/** Locks photos in the order of their ids, whose library the caller has locked. Leaves out what does not exist. */
export function lockPhotos(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction<Tables>,
  ids: number[],
): Promise<PlacedPhoto[]> {
  return transaction
    .selectFrom('photos')
    .select(['id', 'user_id', 'album_id', 'is_public', 'visibility'])
    .select(ownerStatus)
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(db.rowLock)
    .execute();
}

/**
 * Makes `album` (undefined: none) the album of the photos, at its end in the order given; photos that are in it
 * stay where they are and take on its visibility. The photos are one owner's, locked by `lockPhotos`, at most a
 * chunk; those in the trash stay there. Search follows a moment later, by `search_moves`.
 */
export async function placePhotos(
  transaction: Transaction<Tables>,
  photos: PlacedPhoto[],
  album: Place | undefined,
): Promise<void> {
  const moves = photos.map((photo) => ({
    ...photo,
    to: photo.visibility === 0 ? (0 as const) : effectiveVisibility(photo, album),
  }));
  const joining = moves.filter(({ album_id }) => album_id !== (album?.id ?? null));
  await join(transaction, joining, album);
  for (const to of [1, 2] as const) {
    const ids = moves.filter((move) => move.to === to && move.visibility !== to).map(({ id }) => id);
    await show(transaction, ids, to);
  }
  await changeCounts(transaction, moves, album);
  await changeTotals(transaction, moves);
}

type Move = PlacedPhoto & { to: Visibility };

async function join(
  transaction: Transaction<Tables>,
  photos: Move[],
  album: Place | undefined,
): Promise<void> {
  if (photos.length === 0) return;
  const ids = photos.map(({ id }) => id);
  const first = album ? await takePositions(transaction, album.id, ids.length) : 0;
  const positions = ids.map((id, index) => sql`WHEN ${id} THEN ${first + index}`);
  await transaction
    .updateTable('photos')
    .set({
      album_id: album?.id ?? null,
      album_position: album ? sql<number>`CAST(CASE id ${sql.join(positions, sql` `)} END AS bigint)` : 0,
    })
    .where('id', 'in', ids)
    .execute();
  await clearCovers(transaction, ids, album);
}

/** A cover is a photo of its album or one below: it ends where that is no longer so. */
async function clearCovers(
  transaction: Transaction<Tables>,
  ids: number[],
  album: Place | undefined,
): Promise<void> {
  const holders = album ? (await findParents(transaction, album.id)).map(({ id }) => id) : [];
  let covers = transaction.updateTable('albums').set({ cover_id: null }).where('cover_id', 'in', ids);
  if (holders.length > 0) covers = covers.where('id', 'not in', holders);
  await covers.execute();
}

async function show(transaction: Transaction<Tables>, ids: number[], to: Visibility): Promise<void> {
  if (ids.length === 0) return;
  await transaction.updateTable('photos').set({ visibility: to }).where('id', 'in', ids).execute();
  await transaction.updateTable('photo_tags').set({ visibility: to }).where('photo_id', 'in', ids).execute();
  await transaction
    .insertInto('search_moves')
    .values(ids.map((photo_id) => ({ photo_id })))
    .onConflict((conflict) => conflict.column('photo_id').doNothing())
    .execute();
}

async function changeCounts(
  transaction: Transaction<Tables>,
  moves: Move[],
  album: Place | undefined,
): Promise<void> {
  const changes = new Map<number, AlbumCounts>();
  const add = (id: number | null, { photos, open }: AlbumCounts) => {
    if (id === null) return;
    const sum = changes.get(id) ?? { photos: 0, open: 0 };
    changes.set(id, { photos: sum.photos + photos, open: sum.open + open });
  };
  for (const { album_id, visibility, to } of moves) {
    add(album_id, countsBetween(visibility, 0));
    add(album?.id ?? null, countsBetween(0, to));
  }
  for (const [id, change] of [...changes].sort(([one], [other]) => one - other)) {
    await addToAlbum(transaction, id, change);
  }
}

async function changeTotals(transaction: Transaction<Tables>, moves: Move[]): Promise<void> {
  const changes: Record<Visibility, number> = { 0: 0, 1: 0, 2: 0 };
  for (const { visibility, to } of moves) {
    changes[visibility as Visibility]--;
    changes[to]++;
  }
  const [first] = moves;
  if (first) await addToTotals(transaction, first.user_id, changes);
}
