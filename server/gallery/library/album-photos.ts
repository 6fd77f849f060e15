/**
 * Writes the table `album_photos`: which albums contain which photos, at which position. The main album of a photo has a
 * row as well as each reference.
 */
import { sql } from 'kysely';
import { idsOf } from '../../platform/db/rows.ts';
import type { Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, Transaction } from '../../platform/db/tables.ts';
import { asLibraryWriter } from './tables.ts';
import { findParentAlbums } from './tree.ts';

/** The user who adds photos to an album, and the time. */
export interface AlbumAddition {
  addedBy: number;
  /** Unix seconds. */
  now: number;
}

/**
 * Appends photos to an album in the given order. Photos that the album contains already keep their positions. The caller
 * has locked the photos, at most a chunk, and the library of their owner, who owns the album too.
 */
export async function insertIntoAlbum(
  transaction: Transaction,
  { id: albumId }: Pick<AlbumRow, 'id'>,
  ids: number[],
  { addedBy, now }: AlbumAddition,
): Promise<void> {
  if (ids.length === 0) return;
  const contained = await findPhotosInAlbum(transaction, albumId, ids);
  const added = ids.filter((id) => !contained.has(id));
  if (added.length === 0) return;
  const first = await allocatePositions(transaction, albumId, added.length);
  const position = positionsInSql('photos.id', new Map(added.map((id, index) => [id, first + index])));
  await asLibraryWriter(transaction)
    .insertInto('album_photos')
    .columns(['album_id', 'photo_id', 'position', 'visibility', 'create_time', 'added_by', 'added_time'])
    .expression(
      transaction
        .selectFrom('photos')
        .select([sql<number>`CAST(${albumId} AS bigint)`.as('album_id'), 'id', position.as('position')])
        .select(['visibility', 'create_time'])
        .select([sql<number>`CAST(${addedBy} AS bigint)`.as('added_by')])
        .select([sql<number>`CAST(${now} AS bigint)`.as('added_time')])
        .where('id', 'in', added),
    )
    .execute();
}

/** Reserves `n` consecutive positions at the end of an album and returns the first position. */
async function allocatePositions(transaction: Transaction, albumId: number, n: number): Promise<number> {
  const { next_position } = await asLibraryWriter(transaction)
    .updateTable('albums')
    .set({ next_position: sql<number>`next_position + ${n}` })
    .where('id', '=', albumId)
    .returning('next_position')
    .executeTakeFirstOrThrow();
  return next_position - n;
}

/** Takes photos out of one album. Clears covers that show a photo from outside their album afterwards. */
export async function deleteFromAlbum(
  transaction: Transaction,
  albumId: number,
  ids: number[],
): Promise<void> {
  await asLibraryWriter(transaction)
    .deleteFrom('album_photos')
    .where('album_id', '=', albumId)
    .where('photo_id', 'in', ids)
    .execute();
  await clearLostCovers(transaction, ids);
}

/** Returns the ids of those of the photos that the album contains. */
export async function findPhotosInAlbum(
  transaction: Transaction,
  albumId: number,
  ids: number[],
): Promise<Set<number>> {
  const rows = await transaction
    .selectFrom('album_photos')
    .select('photo_id')
    .where('album_id', '=', albumId)
    .where('photo_id', 'in', ids)
    .execute();
  return new Set(rows.map(({ photo_id }) => photo_id));
}

/** Copies the visibility of photos to the rows of the albums that contain them. */
export async function copyVisibilityToAlbums(
  transaction: Transaction,
  ids: number[],
  visibility: Visibility,
): Promise<void> {
  await asLibraryWriter(transaction)
    .updateTable('album_photos')
    .set({ visibility })
    .where('photo_id', 'in', ids)
    .execute();
}

/** Clears the covers among the given photos that are neither in the covered album nor in an album below it. */
export async function clearLostCovers(transaction: Transaction, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const covers = await transaction
    .selectFrom('albums')
    .select('cover_id')
    .distinct()
    .where('cover_id', 'in', ids)
    .execute();
  for (const { cover_id } of covers) {
    const containing = await transaction
      .selectFrom('album_photos')
      .select('album_id')
      .where('photo_id', '=', cover_id)
      .execute();
    const chains = await Promise.all(
      containing.map(({ album_id }) => findParentAlbums(transaction, album_id)),
    );
    let lost = transaction.updateTable('albums').set({ cover_id: null }).where('cover_id', '=', cover_id);
    const holders = idsOf(chains.flat());
    if (holders.length > 0) lost = lost.where('id', 'not in', holders);
    await lost.execute();
  }
}

/** Writes new positions of photos within one album. The caller has locked the library, and gives at most a chunk. */
export async function setAlbumPhotoPositions(
  transaction: Transaction,
  albumId: number,
  positions: Map<number, number>,
): Promise<void> {
  if (positions.size === 0) return;
  await asLibraryWriter(transaction)
    .updateTable('album_photos')
    .set({ position: positionsInSql('photo_id', positions) })
    .where('album_id', '=', albumId)
    .where('photo_id', 'in', [...positions.keys()])
    .execute();
}

function positionsInSql(id: string, positions: Map<number, number>) {
  const cases = [...positions].map(([photoId, position]) => sql`WHEN ${photoId} THEN ${position}`);
  return sql<number>`CAST(CASE ${sql.ref(id)} ${sql.join(cases, sql` `)} END AS bigint)`;
}
