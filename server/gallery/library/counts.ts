/** An album's kept counts: changed in the transactions that change its photos, after these are locked. */
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../platform/db/tables.ts';

export interface AlbumCounts {
  /** Photos that are not in the trash. */
  photos: number;
  /** Photos that everybody sees. */
  open: number;
}

/** What a photo of an album adds to its counts by going from one visibility to another; 0 is also "not there". */
export function countsBetween(from: number, to: number): AlbumCounts {
  return {
    photos: Number(to > 0) - Number(from > 0),
    open: Number(to === 2) - Number(from === 2),
  };
}

export async function addToAlbum(
  transaction: Transaction<Tables>,
  albumId: number | null,
  { photos, open }: AlbumCounts,
): Promise<void> {
  if (albumId === null || (photos === 0 && open === 0)) return;
  await transaction
    .updateTable('albums')
    .set({
      photo_count: sql<number>`photo_count + ${photos}`,
      public_count: sql<number>`public_count + ${open}`,
    })
    .where('id', '=', albumId)
    .execute();
}

/** Takes places at the album's end for `n` photos; returns the first. */
export async function takePositions(
  transaction: Transaction<Tables>,
  albumId: number,
  n: number,
): Promise<number> {
  const { next_position } = await transaction
    .updateTable('albums')
    .set({ next_position: sql<number>`next_position + ${n}` })
    .where('id', '=', albumId)
    .returning('next_position')
    .executeTakeFirstOrThrow();
  return next_position - n;
}
