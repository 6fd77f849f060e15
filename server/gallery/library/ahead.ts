/**
 * An album with more photos than one transaction may change is hidden at once, and its photos' rows follow
 * (album-moves.ts). Their counts do not: all of them count as private from the first moment, ahead of their rows.
 */
import { sql } from 'kysely';
import { Visibility } from '../../platform/db/states.ts';
import type { Transaction } from '../../platform/db/tables.ts';

interface Standing {
  visibility: Visibility;
  album_id: number | null;
}

/**
 * Those of them that count as private whatever their rows say. Their rows change now: they are ahead no longer. Their
 * library is locked.
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
