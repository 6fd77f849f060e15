/**
 * Maintains the photo counts of albums, of each owner and of all users together. The transaction that changes
 * photos also changes the counts, after it has locked the photos.
 *
 * A photo counts by the visibility in its row, except that a photo in a hidden album counts as private. Hiding an
 * album therefore changes its counts at once. A background job (follow.ts) updates the rows of the photos later,
 * without changing the counts.
 */

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { idsOf } from '../../platform/db/rows.ts';
import type { SearchScope } from '../../platform/db/search.ts';
import { type ListedVisibility, Visibility } from '../../platform/db/states.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import type { PhotoGroupsTable } from '../../platform/db/tables-queries.ts';
import { writing } from './tables.ts';

/** User id of the rows in `photo_totals` that count the photos of all users. */
export const everyoneUserId = 0;

/** Visibility and album of a photo: the two facts that decide which counts include the photo. */
export interface CountedState {
  visibility: Visibility;
  album_id: number | null;
}

/** Change of one photo. `from` is undefined for a new photo, and `to` is undefined for a deleted photo. */
export interface Change {
  from: CountedState | undefined;
  to: CountedState | undefined;
}

interface AlbumCounts {
  /** Number of photos in an album that are not in the trash. */
  photos: number;
  /** Number of public photos in an album. */
  publicPhotos: number;
}

/** Updates the counts after changes to photos of one owner. The caller has locked the owner's library. */
export async function countChanges(
  transaction: Transaction,
  userId: number,
  changes: Change[],
): Promise<void> {
  const albums = new Map<number, AlbumCounts>();
  const totals: Record<Visibility, number> = { 0: 0, 1: 0, 2: 0 };
  const add = (standing: CountedState | undefined, by: 1 | -1) => {
    if (!standing) return;
    const { visibility, album_id } = standing;
    totals[visibility] += by;
    if (album_id === null || visibility === Visibility.trash) return;
    const { photos, publicPhotos } = albums.get(album_id) ?? { photos: 0, publicPhotos: 0 };
    albums.set(album_id, {
      photos: photos + by,
      publicPhotos: publicPhotos + (visibility === Visibility.public ? by : 0),
    });
  };
  const hidden = await findHidden(
    transaction,
    changes.flatMap(({ from }) => from ?? []),
  );
  for (const { from, to } of changes) {
    const isHidden = from?.visibility === Visibility.public && hidden.has(from.album_id);
    add(isHidden ? { ...from, visibility: Visibility.private } : from, -1);
    add(to, 1);
  }
  for (const [id, counts] of [...albums].sort(([one], [other]) => one - other)) {
    await addToAlbum(transaction, id, counts);
  }
  await addToTotals(transaction, userId, totals);
}

export async function addToAlbum(
  transaction: Transaction,
  albumId: number,
  { photos, publicPhotos }: AlbumCounts,
): Promise<void> {
  if (photos === 0 && publicPhotos === 0) return;
  await writing(transaction)
    .updateTable('albums')
    .set({
      photo_count: sql<number>`photo_count + ${photos}`,
      public_count: sql<number>`public_count + ${publicPhotos}`,
    })
    .where('id', '=', albumId)
    .execute();
}

/**
 * Adds to the totals of one owner and of all users. Every transaction updates the rows in the same order, to
 * prevent deadlocks.
 */
export async function addToTotals(
  transaction: Transaction,
  userId: number,
  changes: Partial<Record<Visibility, number>>,
): Promise<void> {
  for (const user of [everyoneUserId, userId]) {
    for (const visibility of Object.values(Visibility)) {
      const n = changes[visibility] ?? 0;
      if (n === 0) continue;
      await writing(transaction)
        .insertInto('photo_totals')
        .values({ user_id: user, visibility, n })
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'visibility']).doUpdateSet({ n: sql<number>`photo_totals.n + ${n}` }),
        )
        .execute();
    }
  }
}

/** Reserves `n` consecutive positions at the end of an album and returns the first position. */
export async function allocatePositions(
  transaction: Transaction,
  albumId: number,
  n: number,
): Promise<number> {
  const { next_position } = await writing(transaction)
    .updateTable('albums')
    .set({ next_position: sql<number>`next_position + ${n}` })
    .where('id', '=', albumId)
    .returning('next_position')
    .executeTakeFirstOrThrow();
  return next_position - n;
}

/** Deletes all totals of a user who owns no photos anymore. */
export async function deleteTotals(transaction: Transaction, userId: number): Promise<void> {
  for (const table of ['photo_totals', 'tag_totals', 'photo_groups'] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}

/** Returns the ids of the hidden albums among those that contain the given public photos. */
async function findHidden(transaction: Transaction, standings: CountedState[]): Promise<Set<number | null>> {
  const open = standings.filter(({ visibility }) => visibility === Visibility.public);
  const ids = new Set(open.flatMap(({ album_id }) => album_id ?? []));
  if (ids.size === 0) return new Set();
  const hidden = await transaction
    .selectFrom('albums')
    .select('id')
    .where('id', 'in', [...ids])
    .where('visibility', '=', Visibility.private)
    .execute();
  return new Set(idsOf(hidden));
}

/**
 * Writes the visibility of albums of one owner and updates the counts of their photos. All photos in a hidden album
 * count as private. In a visible album, each photo counts by its own row. Returns how many photos no longer count
 * as public.
 */
export async function writeAlbums(
  transaction: Transaction,
  userId: number,
  ids: number[],
  to: ListedVisibility,
): Promise<number> {
  const before = await sumPublicCounts(transaction, ids);
  const open = sql<number>`(SELECT count(*) FROM photos
    WHERE photos.album_id = albums.id AND photos.visibility = ${sql.lit(Visibility.public)})`;
  await writing(transaction)
    .updateTable('albums')
    .set({ visibility: to, public_count: to === Visibility.public ? open : 0 })
    .where('id', 'in', ids)
    .execute();
  const hidden = before - (await sumPublicCounts(transaction, ids));
  await addToTotals(transaction, userId, { [Visibility.public]: -hidden, [Visibility.private]: hidden });
  return hidden;
}

async function sumPublicCounts(transaction: Transaction, ids: number[]): Promise<number> {
  const { n } = await transaction
    .selectFrom('albums')
    .select((is) => is.fn.coalesce(is.fn.sum<number>('public_count'), is.lit(0)).as('n'))
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  return n;
}

/**
 * Returns a SQL condition that selects the rows of these scopes in a table of totals by owner and visibility.
 * `scopes` must not be empty.
 */
export function isTotalIn(scopes: SearchScope[], table: string): RawBuilder<SqlBool> {
  const ofEach = scopes.map(
    ({ visibility, userId = everyoneUserId }) =>
      sql`(${sql.ref(`${table}.user_id`)} = ${userId} AND ${sql.ref(`${table}.visibility`)} = ${visibility})`,
  );
  return sql<SqlBool>`(${sql.join(ofEach, sql` OR `)})`;
}

/** Returns a SQL condition like `isTotalIn`, on the rows of `photo_groups` of one kind. */
export function isGroupIn(scopes: SearchScope[], kind: PhotoGroupsTable['kind']): RawBuilder<SqlBool> {
  return sql<SqlBool>`${isTotalIn(scopes, 'photo_groups')} AND photo_groups.kind = ${kind}`;
}
