/** Who sees albums and photos is kept in their rows: it must follow from what they, and the albums above, say. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { findAlbum } from '../../gallery/library/albums.ts';
import { flowVisibility } from '../../gallery/library/flow.ts';
import { finishSearchMoves, indexPhoto } from '../../gallery/library/search-moves.ts';
import { effectiveVisibility, lockPhotoToMove, moveVisibility } from '../../gallery/library/visibility.ts';
import { albumOf } from '../../gallery/photos/update.ts';
import { each, pages } from '../../platform/db/pages.ts';
import type { Round } from './findings.ts';

const pageSize = 1000;

interface Wrong {
  id: number;
  visibility: number;
  should: number;
}

export async function checkVisibility({ deps, progress, report }: Round): Promise<void> {
  progress.begin('visibility');
  for await (const album of each(wrongAlbums(deps))) {
    await report({
      kind: 'visibility-wrong',
      subject: `album ${album.id}`,
      detail: describe(album),
      repair: () => repairAlbum(deps, album.id),
    });
  }
  for await (const photo of each(wrongPhotos(deps))) {
    await report({
      kind: 'visibility-wrong',
      subject: `photo ${photo.id}`,
      detail: describe(photo),
      repair: () => repairPhoto(deps, photo.id),
    });
  }
}

function describe({ visibility, should }: Wrong): string {
  return `it is ${visibility} instead of ${should}`;
}

/** What accounts hold that are being deleted, hidden or shown just now, is on its way. */
const isSettled = sql`users.status >= 0 AND users.id NOT IN (SELECT user_id FROM library_moves)`;

/** Albums whose parent is wrong too are found when that one is right. */
function wrongAlbums(deps: Deps): AsyncGenerator<Wrong[]> {
  const should = sql`CASE WHEN albums.is_public = 1 AND users.status = 1
    AND coalesce(parent.visibility, 2) = 2 THEN 2 ELSE 1 END`;
  return wrongRows(
    deps,
    (after, size) => sql`SELECT albums.id, albums.visibility, ${should} AS should
    FROM albums JOIN users ON users.id = albums.user_id LEFT JOIN albums AS parent ON parent.id = albums.parent_id
    WHERE ${isSettled} AND albums.visibility <> ${should} AND albums.id > ${after} ORDER BY albums.id LIMIT ${size}`,
  );
}

function wrongPhotos(deps: Deps): AsyncGenerator<Wrong[]> {
  const should = sql`CASE WHEN delete_time IS NOT NULL THEN 0
    WHEN photos.is_public = 1 AND users.status = 1 AND coalesce(albums.visibility, 2) = 2 THEN 2 ELSE 1 END`;
  return wrongRows(
    deps,
    (after, size) => sql`SELECT photos.id, photos.visibility, ${should} AS should
    FROM photos JOIN users ON users.id = photos.user_id LEFT JOIN albums ON albums.id = photos.album_id
    WHERE ${isSettled} AND photos.visibility <> ${should} AND photos.id > ${after} ORDER BY photos.id LIMIT ${size}`,
  );
}

function wrongRows({ db }: Deps, query: (after: number, size: number) => ReturnType<typeof sql>) {
  return pages(
    0,
    pageSize,
    (row: Wrong) => row.id,
    async (after, size) =>
      (await db.patiently((kysely) => query(after, size).execute(kysely))).rows as Wrong[],
  );
}

async function repairAlbum(deps: Deps, id: number): Promise<boolean> {
  const isRepaired = await deps.db.kysely.transaction().execute(async (transaction) => {
    const found = await findAlbum(transaction, id);
    if (!found) return false;
    await deps.db.lockLibrary(transaction, found.user_id);
    const album = await findAlbum(transaction, id);
    if (!album) return false;
    await flowVisibility(deps, transaction, album);
    return (await findAlbum(transaction, id))?.visibility !== album.visibility;
  });
  await finishSearchMoves(deps);
  return isRepaired;
}

function repairPhoto(deps: Deps, id: number): Promise<boolean> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhotoToMove(deps, transaction, id);
    if (!photo) return false;
    const visible = effectiveVisibility(photo, await albumOf(transaction, photo));
    const should = photo.delete_time === null ? visible : 0;
    if (should === photo.visibility) return false;
    await moveVisibility(transaction, photo, should);
    await indexPhoto(deps, transaction, id);
    return true;
  });
}
