/**
 * Maintains the photo totals of each owner and of all users together. The transaction that changes photos also changes
 * the totals, after it has locked the photos.
 *
 * A photo counts by the visibility in its row, narrowed by the visibility of its album. Hiding an album therefore
 * changes the totals at once. A background job (follow.ts) updates the rows of the photos later, without changing the
 * totals.
 */

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SearchScope } from '../../platform/db/search.ts';
import { Visibility, type VisibilityOutsideTrash } from '../../platform/db/states.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import type { PhotoGroupsTable } from '../../platform/db/tables-queries.ts';
import { asLibraryWriter } from './tables.ts';
import { chooseNarrowerVisibility } from './visibility-rule.ts';

/** User id of the rows in `photo_totals` that count the photos of all users. */
export const everyoneUserId = 0;

/** Visibility and album of a photo: the two facts that decide which total includes the photo. */
export interface CountedPhotoState {
  visibility: Visibility;
  album_id: number | null;
}

/** Change of one photo. `from` is undefined for a new photo, and `to` is undefined for a deleted photo. */
export interface PhotoStateChange {
  from: CountedPhotoState | undefined;
  to: CountedPhotoState | undefined;
}

type TotalChanges = Partial<Record<Visibility, number>>;

/** Updates the totals after changes to photos of one owner. The caller has locked the owner's library. */
export async function updatePhotoTotals(
  transaction: Transaction,
  userId: number,
  changes: PhotoStateChange[],
): Promise<void> {
  const before = changes.flatMap(({ from }) => from ?? []);
  const albums = await findVisibilityOfAlbums(transaction, before);
  const totals: TotalChanges = {};
  const add = (visibility: Visibility, n: number) => {
    totals[visibility] = (totals[visibility] ?? 0) + n;
  };
  for (const { from, to } of changes) {
    if (from) add(countedVisibility(from, albums.get(from.album_id)), -1);
    if (to) add(to.visibility, 1);
  }
  await addToPhotoTotals(transaction, userId, totals);
}

function countedVisibility(
  { visibility }: CountedPhotoState,
  album: VisibilityOutsideTrash = Visibility.public,
): Visibility {
  return visibility === Visibility.trash ? visibility : chooseNarrowerVisibility(visibility, album);
}

/**
 * Adds to the totals of one owner and of all users. Every transaction updates the rows in the same order, to
 * prevent deadlocks.
 */
export async function addToPhotoTotals(
  transaction: Transaction,
  userId: number,
  changes: TotalChanges,
): Promise<void> {
  for (const user of [everyoneUserId, userId]) {
    for (const visibility of Object.values(Visibility)) {
      const n = changes[visibility] ?? 0;
      if (n === 0) continue;
      await asLibraryWriter(transaction)
        .insertInto('photo_totals')
        .values({ user_id: user, visibility, n })
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'visibility']).doUpdateSet({ n: sql<number>`photo_totals.n + ${n}` }),
        )
        .execute();
    }
  }
}

/** Deletes all totals of a user who owns no photos anymore. */
export async function deleteUserTotals(transaction: Transaction, userId: number): Promise<void> {
  for (const table of ['photo_totals', 'tag_totals', 'photo_groups'] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}

/** Returns the visibility of the albums that contain photos in these states, by album id. */
async function findVisibilityOfAlbums(
  transaction: Transaction,
  states: CountedPhotoState[],
): Promise<Map<number | null, VisibilityOutsideTrash>> {
  const ids = new Set(states.flatMap(({ album_id }) => album_id ?? []));
  if (ids.size === 0) return new Map();
  const albums = await transaction
    .selectFrom('albums')
    .select(['id', 'visibility'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(albums.map(({ id, visibility }) => [id, visibility]));
}

/**
 * Writes the visibility of albums of one owner and updates the totals. From now on, the photos in the albums count at
 * most with this visibility. Returns how many rows of photos have a wider visibility than that.
 */
export async function writeAlbumVisibilities(
  transaction: Transaction,
  userId: number,
  ids: number[],
  to: VisibilityOutsideTrash,
): Promise<number> {
  const shown = await transaction
    .selectFrom('albums')
    .innerJoin('photos', 'photos.album_id', 'albums.id')
    .select(['albums.visibility as before', 'photos.visibility as own'])
    .select((is) => is.fn.countAll<number>().as('n'))
    .where('albums.id', 'in', ids)
    .where('photos.visibility', 'in', [Visibility.members, Visibility.public])
    .groupBy(['albums.visibility', 'photos.visibility'])
    .execute();
  await asLibraryWriter(transaction)
    .updateTable('albums')
    .set({ visibility: to })
    .where('id', 'in', ids)
    .execute();
  const totals: TotalChanges = {};
  let wider = 0;
  for (const { before, own, n } of shown) {
    const visibility = own as VisibilityOutsideTrash;
    const [from, now] = [
      chooseNarrowerVisibility(visibility, before),
      chooseNarrowerVisibility(visibility, to),
    ];
    totals[from] = (totals[from] ?? 0) - n;
    totals[now] = (totals[now] ?? 0) + n;
    if (now !== visibility) wider += n;
  }
  await addToPhotoTotals(transaction, userId, totals);
  return wider;
}

/**
 * Returns a SQL condition that selects the rows of these scopes in a table of totals by owner and visibility.
 * `scopes` must not be empty.
 */
export function totalInScopesCondition(scopes: SearchScope[], table: string): RawBuilder<SqlBool> {
  const ofEach = scopes.map(
    ({ visibility, userId = everyoneUserId }) =>
      sql`(${sql.ref(`${table}.user_id`)} = ${userId} AND ${sql.ref(`${table}.visibility`)} = ${visibility})`,
  );
  return sql<SqlBool>`(${sql.join(ofEach, sql` OR `)})`;
}

/** Returns a SQL condition like `totalInScopesCondition`, on the rows of `photo_groups` of one kind. */
export function groupInScopesCondition(
  scopes: SearchScope[],
  kind: PhotoGroupsTable['kind'],
): RawBuilder<SqlBool> {
  return sql<SqlBool>`${totalInScopesCondition(scopes, 'photo_groups')} AND photo_groups.kind = ${kind}`;
}
