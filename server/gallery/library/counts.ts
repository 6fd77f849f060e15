/**
 * The counts that follow photos: those of their albums, their owner's, and everybody's. Changed in the transactions
 * that change the photos, after these are locked and after their tags, which PostgreSQL locks in this order
 * (platform/db/migrations/baseline/postgres.ts).
 */

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SearchScope } from '../../platform/db/search.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import type { PhotoGroupsTable } from '../../platform/db/tables-queries.ts';
import { writing } from './tables.ts';

/** The row of totals that counts everybody's photos. */
export const everybody = 0;

/** What a photo counts as. */
export interface Standing {
  visibility: Visibility;
  album_id: number | null;
}

/** Undefined: it was not there, or is not any longer. */
export interface Change {
  from: Standing | undefined;
  to: Standing | undefined;
}

interface AlbumCounts {
  /** Photos that are not in the trash. */
  photos: number;
  /** Photos that everybody sees. */
  open: number;
}

/** Of photos of one owner. */
export async function countChanges(
  transaction: Transaction,
  userId: number,
  changes: Change[],
): Promise<void> {
  const albums = new Map<number, AlbumCounts>();
  const totals: Record<Visibility, number> = { 0: 0, 1: 0, 2: 0 };
  const add = (standing: Standing | undefined, by: 1 | -1) => {
    if (!standing) return;
    const { visibility, album_id } = standing;
    totals[visibility] += by;
    if (album_id === null || visibility === Visibility.trash) return;
    const { photos, open } = albums.get(album_id) ?? { photos: 0, open: 0 };
    albums.set(album_id, { photos: photos + by, open: open + (visibility === Visibility.public ? by : 0) });
  };
  const ahead = await takeAhead(
    transaction,
    changes.flatMap(({ from }) => from ?? []),
  );
  for (const { from, to } of changes) {
    add(from && ahead.has(from) ? { ...from, visibility: Visibility.private } : from, -1);
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
  { photos, open }: AlbumCounts,
): Promise<void> {
  if (photos === 0 && open === 0) return;
  await writing(transaction)
    .updateTable('albums')
    .set({
      photo_count: sql<number>`photo_count + ${photos}`,
      public_count: sql<number>`public_count + ${open}`,
    })
    .where('id', '=', albumId)
    .execute();
}

/**
 * Adds to the totals of the owner and of everybody. Rows are always touched in the same order, so that two
 * transactions cannot wait for each other.
 */
export async function addToTotals(
  transaction: Transaction,
  userId: number,
  changes: Partial<Record<Visibility, number>>,
): Promise<void> {
  for (const user of [everybody, userId]) {
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

/** Takes places at the album's end for `n` photos; returns the first. */
export async function takePositions(transaction: Transaction, albumId: number, n: number): Promise<number> {
  const { next_position } = await writing(transaction)
    .updateTable('albums')
    .set({ next_position: sql<number>`next_position + ${n}` })
    .where('id', '=', albumId)
    .returning('next_position')
    .executeTakeFirstOrThrow();
  return next_position - n;
}

/** Of a user who owns nothing any longer. */
export async function forgetTotals(transaction: Transaction, userId: number): Promise<void> {
  for (const table of ['photo_totals', 'tag_totals', 'photo_groups'] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}

/**
 * An album with more photos than one transaction may change is hidden at once, and its photos' rows follow
 * (album-photos.ts). Their counts do not: all of them count as private from the first moment, ahead of their rows.
 * These are those of them; their rows change now, and they are ahead no longer. Their library is locked.
 */
export async function takeAhead<Some extends Standing>(
  transaction: Transaction,
  standings: Some[],
): Promise<Set<Some>> {
  const open = standings.filter(
    ({ visibility, album_id }) => visibility === Visibility.public && album_id !== null,
  );
  const taken = new Set<Some>();
  if (open.length === 0) return taken;
  const albums = Map.groupBy(open, ({ album_id }) => album_id!);
  const moves = await transaction
    .selectFrom('album_moves')
    .select('album_id')
    .where('album_id', 'in', [...albums.keys()])
    .where('ahead', '>', 0)
    .execute();
  for (const { album_id } of moves) {
    const own = albums.get(album_id)!;
    for (const standing of own) taken.add(standing);
    await addAhead(transaction, album_id, -own.length);
  }
  return taken;
}

export async function addAhead(transaction: Transaction, albumId: number, n: number): Promise<void> {
  await transaction
    .updateTable('album_moves')
    .set({ ahead: sql<number>`ahead + ${n}` })
    .where('album_id', '=', albumId)
    .execute();
}

/** A condition on a table of totals by owner and visibility: the rows of these scopes, of which there is at least one. */
export function isTotalIn(scopes: SearchScope[], table: string): RawBuilder<SqlBool> {
  const ofEach = scopes.map(
    ({ visibility, userId = everybody }) =>
      sql`(${sql.ref(`${table}.user_id`)} = ${userId} AND ${sql.ref(`${table}.visibility`)} = ${visibility})`,
  );
  return sql<SqlBool>`(${sql.join(ofEach, sql` OR `)})`;
}

/** The same on `photo_groups`, of one kind. */
export function isGroupIn(scopes: SearchScope[], kind: PhotoGroupsTable['kind']): RawBuilder<SqlBool> {
  return sql<SqlBool>`${isTotalIn(scopes, 'photo_groups')} AND photo_groups.kind = ${kind}`;
}
