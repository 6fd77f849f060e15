/**
 * Checks the visibility in rows of albums and photos, which must follow from their own settings and from the albums
 * above them.
 */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { setAlbumVisibility } from '../../gallery/library/album-visibility.ts';
import { findAlbum, findMainAlbum } from '../../gallery/library/albums.ts';
import { lockPhotoToMove } from '../../gallery/library/locks.ts';
import { runVisibilityJobs } from '../../gallery/library/run-visibility-jobs.ts';
import { setPhotoVisibility } from '../../gallery/library/set-visibility.ts';
import { decideVisibility, decideVisibilityInSql } from '../../gallery/library/visibility-rule.ts';
import { unlimitedReadOptions } from '../../platform/db/dialect.ts';
import { flattenRowPages, yieldRowPages } from '../../platform/db/pages.ts';
import { UserStatus, Visibility } from '../../platform/db/states.ts';
import type { CheckContext } from './findings.ts';

const pageSize = 1000;

interface WrongRow {
  id: number;
  visibility: number;
  should: number;
}

/** Albums are checked first, because the visibility of photos depends on them. */
const checkedKinds = [
  { noun: 'album', wrong: findWrongAlbums, repair: repairAlbum },
  { noun: 'photo', wrong: findWrongPhotos, repair: repairPhoto },
];

export async function checkVisibility({ deps, progress, report }: CheckContext): Promise<void> {
  progress.begin('visibility');
  for (const { noun, wrong, repair } of checkedKinds) {
    for await (const { id, visibility, should } of flattenRowPages(wrong(deps))) {
      await report({
        kind: 'visibility-wrong',
        subject: `${noun} ${id}`,
        detail: `the visibility is ${visibility} instead of ${should}`,
        repair: () => repair(deps, id),
      });
    }
  }
}

/**
 * Condition for accounts without pending visibility changes. Accounts that are being deleted, hidden or shown are left
 * out.
 */
const isSettled = sql`users.status >= ${sql.lit(UserStatus.disabled)} AND users.id NOT IN (SELECT id FROM visibility_jobs WHERE kind = 'account')`;

/**
 * Selects albums with a wrong visibility. An album whose parent is also wrong is found after the parent was repaired.
 */
function findWrongAlbums(deps: Deps): AsyncGenerator<WrongRow[]> {
  const should = decideVisibilityInSql('albums', 'parent');
  return findWrongRows(
    deps,
    (after, size) => sql`SELECT albums.id, albums.visibility, ${should} AS should
    FROM albums JOIN users ON users.id = albums.user_id LEFT JOIN albums AS parent ON parent.id = albums.parent_id
    WHERE ${isSettled} AND albums.visibility <> ${should} AND albums.id > ${after} ORDER BY albums.id LIMIT ${size}`,
  );
}

function findWrongPhotos(deps: Deps): AsyncGenerator<WrongRow[]> {
  const should = sql`CASE WHEN delete_time IS NOT NULL THEN ${sql.lit(Visibility.trash)}
    ELSE ${decideVisibilityInSql('photos', 'albums')} END`;
  return findWrongRows(
    deps,
    (after, size) => sql`SELECT photos.id, photos.visibility, ${should} AS should
    FROM photos JOIN users ON users.id = photos.user_id LEFT JOIN albums ON albums.id = photos.album_id
    WHERE ${isSettled} AND (album_id IS NULL OR album_id NOT IN (SELECT id FROM visibility_jobs WHERE kind = 'album'))
      AND photos.visibility <> ${should} AND photos.id > ${after} ORDER BY photos.id LIMIT ${size}`,
  );
}

function findWrongRows({ db }: Deps, query: (after: number, size: number) => ReturnType<typeof sql>) {
  return yieldRowPages(
    0,
    pageSize,
    (row: WrongRow) => row.id,
    async (after, size) =>
      (await query(after, size).execute(db.slow(unlimitedReadOptions))).rows as WrongRow[],
  );
}

async function repairAlbum(deps: Deps, id: number): Promise<boolean> {
  const isRepaired = await deps.db.kysely.transaction().execute(async (transaction) => {
    const found = await findAlbum(transaction, id);
    if (!found) return false;
    await deps.db.lock(transaction, { library: found.user_id });
    const album = await findAlbum(transaction, id);
    if (!album) return false;
    await setAlbumVisibility(deps, transaction, album);
    return (await findAlbum(transaction, id))?.visibility !== album.visibility;
  });
  await runVisibilityJobs(deps);
  return isRepaired;
}

function repairPhoto(deps: Deps, id: number): Promise<boolean> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhotoToMove(deps, transaction, id);
    if (!photo) return false;
    const visible = decideVisibility(photo, await findMainAlbum(transaction, photo));
    const should = photo.delete_time === null ? visible : Visibility.trash;
    return (await setPhotoVisibility(deps, transaction, [photo], should)) > 0;
  });
}
