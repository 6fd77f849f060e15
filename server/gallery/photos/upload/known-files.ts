/** Finds out which files a user already has, so that a client sends only the others. */
import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { KnownFiles } from './schema.ts';

export async function findKnownFiles(
  { db }: Pick<Deps, 'db'>,
  userId: number,
  checksums: string[],
): Promise<KnownFiles> {
  const wanted = [...new Set(checksums.map((sha256) => sha256.toLowerCase()))];
  const rows = await db.kysely
    .selectFrom('photos')
    .select(({ fn, ref }) => [
      'sha256',
      fn.min(ref('id')).filterWhere('visibility', '>', Visibility.trash).as('photo_id'),
      fn.min(ref('id')).filterWhere('visibility', '=', Visibility.trash).as('trashed_id'),
    ])
    .where('user_id', '=', userId)
    // The expression must be the one of the index `photos_of_user_by_sha256`.
    .where(
      sql<string>`substr(sha256, 1, 16)`,
      'in',
      wanted.map((sha256) => sha256.slice(0, 16)),
    )
    .where('sha256', 'in', wanted)
    .groupBy('sha256')
    .execute();
  const list = rows.map(({ sha256, photo_id, trashed_id }) => ({
    sha256: String(sha256),
    photo_id: toId(photo_id),
    trashed_id: toId(trashed_id),
  }));
  return { list };
}

/** PostgreSQL returns large integers as text. */
function toId(value: number | string | null): number | null {
  return value === null ? null : Number(value);
}
