/** Finds out which files a user already has, so that a client sends only the others. */
import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { FileFacts } from '../../../platform/imaging/metadata/fields.ts';
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
  const found = rows.map(({ sha256, photo_id, trashed_id }) => ({
    sha256: String(sha256),
    photo_id: toId(photo_id),
    trashed_id: toId(trashed_id),
  }));
  const completed = await findPhotosWithSidecar(
    db,
    found.flatMap(({ photo_id }) => photo_id ?? []),
  );
  return {
    list: found.map((file) => ({
      ...file,
      has_sidecar: file.photo_id !== null && completed.has(file.photo_id),
    })),
  };
}

/** Returns the ids of photos for which the server has what another program said about the file. */
async function findPhotosWithSidecar({ kysely }: Deps['db'], ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await kysely
    .selectFrom('photo_metadata')
    .select(['photo_id', 'facts'])
    .where('photo_id', 'in', ids)
    .execute();
  const hasSidecar = ({ sidecar, takeoutTime, takeoutLocation }: FileFacts) =>
    sidecar !== undefined || takeoutTime !== undefined || takeoutLocation !== undefined;
  return new Set(
    rows.filter(({ facts }) => hasSidecar(JSON.parse(facts) as FileFacts)).map(({ photo_id }) => photo_id),
  );
}

/** PostgreSQL returns large integers as text. */
function toId(value: number | string | null): number | null {
  return value === null ? null : Number(value);
}
