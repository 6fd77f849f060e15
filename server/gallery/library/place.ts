/** Puts photos into an album, or out of every album, with all that follows from it. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { idsOf } from '../../platform/db/rows.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, Transaction } from '../../platform/db/tables.ts';
import { countChanges, takePositions } from './counts.ts';
import type { MovedPhoto } from './locks.ts';
import { visibilityOf } from './rule.ts';
import { writeVisibility } from './set-visibility.ts';
import { writing } from './tables.ts';
import { findParents } from './tree.ts';

/** The album as it is from now on. */
export type Place = Pick<AlbumRow, 'id' | 'visibility'>;

/**
 * Makes `album` (undefined: none) the album of the photos, at its end in the order given; photos that are in it
 * stay where they are and take on its visibility. The photos are one owner's, locked by `lockPhotos`, at most a
 * chunk; those in the trash stay there. Returns them as they are now.
 */
export async function place(
  deps: Pick<Deps, 'db'>,
  transaction: Transaction,
  photos: MovedPhoto[],
  album: Place | undefined,
): Promise<MovedPhoto[]> {
  const moves = photos.map((photo) => ({ ...photo, to: visibilityIn(photo, album) }));
  const joining = moves.filter(({ album_id }) => album_id !== (album?.id ?? null));
  await join(transaction, joining, album);
  const changed = moves.filter(({ to, visibility }) => to !== visibility);
  for (const to of [Visibility.private, Visibility.public]) {
    const some = changed.filter((move) => move.to === to);
    await writeVisibility(deps, transaction, some, to);
  }
  const [first] = moves;
  if (!first) return [];
  await countChanges(
    transaction,
    first.user_id,
    moves.map(({ to, ...from }) => ({ from, to: { visibility: to, album_id: album?.id ?? null } })),
  );
  return moves.map(({ to, ...photo }) => ({ ...photo, visibility: to, album_id: album?.id ?? null }));
}

function visibilityIn(photo: MovedPhoto, album: Place | undefined): Visibility {
  return photo.visibility === Visibility.trash ? Visibility.trash : visibilityOf(photo, album);
}

async function join(transaction: Transaction, photos: MovedPhoto[], album: Place | undefined): Promise<void> {
  if (photos.length === 0) return;
  const ids = idsOf(photos);
  const first = album ? await takePositions(transaction, album.id, ids.length) : 0;
  const positions = new Map(ids.map((id, index) => [id, first + index]));
  await writing(transaction)
    .updateTable('photos')
    .set({ album_id: album?.id ?? null, album_position: album ? positionsOf(positions) : 0 })
    .where('id', 'in', ids)
    .execute();
  await clearCovers(transaction, ids, album);
}

/** A cover is a photo of its album or one below: it ends where that is no longer so. */
async function clearCovers(transaction: Transaction, ids: number[], album: Place | undefined): Promise<void> {
  const holders = album ? idsOf(await findParents(transaction, album.id)) : [];
  let covers = transaction.updateTable('albums').set({ cover_id: null }).where('cover_id', 'in', ids);
  if (holders.length > 0) covers = covers.where('id', 'not in', holders);
  await covers.execute();
}

/** Gives photos of one album, locked with their library and at most a chunk, other places in it. */
export async function setPositions(transaction: Transaction, positions: Map<number, number>): Promise<void> {
  if (positions.size === 0) return;
  await writing(transaction)
    .updateTable('photos')
    .set({ album_position: positionsOf(positions) })
    .where('id', 'in', [...positions.keys()])
    .execute();
}

function positionsOf(positions: Map<number, number>) {
  const cases = [...positions].map(([id, position]) => sql`WHEN ${id} THEN ${position}`);
  return sql<number>`CAST(CASE id ${sql.join(cases, sql` `)} END AS bigint)`;
}
