/** Checks smart albums: no photo or album is in one, and each rule can be parsed. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { deleteFromAlbum } from '../../gallery/library/album-photos.ts';
import { setAlbumVisibility } from '../../gallery/library/album-visibility.ts';
import { findAlbum, isSmartAlbum } from '../../gallery/library/albums.ts';
import { lockPhotos, maxPhotosPerStatement } from '../../gallery/library/locks.ts';
import { moveToAlbum } from '../../gallery/library/move-to-album.ts';
import { runVisibilityJobs } from '../../gallery/library/run-visibility-jobs.ts';
import { findWidestInAlbum } from '../../gallery/library/tree.ts';
import { narrowLevelInSql } from '../../gallery/library/visibility-rule.ts';
import { findSearchQueryProblem } from '../../gallery/photos/query/parse.ts';
import { unlimitedReadOptions } from '../../platform/db/dialect.ts';
import { flattenRowPages, yieldRowPages } from '../../platform/db/pages.ts';
import { idsOf } from '../../platform/db/rows.ts';
import type { AlbumRow, Transaction } from '../../platform/db/tables.ts';
import type { CheckContext } from './findings.ts';

const pageSize = 500;

interface SmartRow {
  id: number;
  rule: string;
  photos: number;
  albums: number;
}

export async function checkSmartAlbums({ deps, progress, report }: CheckContext): Promise<void> {
  progress.begin('smart albums');
  for await (const { id, rule, photos, albums } of flattenRowPages(smartAlbums(deps))) {
    const subject = `album ${id}`;
    if (photos + albums > 0) {
      const detail = `contains ${photos} photos and ${albums} albums`;
      await report({ kind: 'smart-album-filled', subject, detail, repair: () => repairAlbum(deps, id) });
    }
    const problem = findSearchQueryProblem(rule);
    if (problem !== undefined) await report({ kind: 'rule-unreadable', subject, detail: problem });
  }
}

function smartAlbums({ db }: Deps): AsyncGenerator<SmartRow[]> {
  return yieldRowPages(
    0,
    pageSize,
    (row: SmartRow) => row.id,
    async (after, size) => {
      const { rows } = await sql<SmartRow>`SELECT id, rule,
            (SELECT count(*) FROM album_photos WHERE album_photos.album_id = albums.id) AS photos,
            (SELECT count(*) FROM albums AS inner_albums WHERE inner_albums.parent_id = albums.id) AS albums
          FROM albums WHERE rule IS NOT NULL AND id > ${after} ORDER BY id LIMIT ${size}`.execute(
        db.slow(unlimitedReadOptions),
      );
      return rows;
    },
  );
}

async function repairAlbum(deps: Deps, id: number): Promise<boolean> {
  const isRepaired = await deps.db.kysely.transaction().execute(async (transaction) => {
    const found = await findAlbum(transaction, id);
    if (!found) return false;
    await deps.db.lock(transaction, { library: found.user_id });
    const album = await findAlbum(transaction, id);
    if (!album || !isSmartAlbum(album)) return false;
    return (
      (await removeContainedPhotos(deps, transaction, album)) +
        (await removeContainedAlbums(deps, transaction, album)) >
      0
    );
  });
  await runVisibilityJobs(deps);
  return isRepaired;
}

async function removeContainedPhotos(deps: Deps, transaction: Transaction, album: AlbumRow): Promise<number> {
  for (let taken = 0; ; ) {
    const photos = await transaction
      .selectFrom('album_photos')
      .select('photo_id as id')
      .where('album_id', '=', album.id)
      .limit(maxPhotosPerStatement)
      .execute();
    if (photos.length === 0) return taken;
    const locked = await lockPhotos(transaction, idsOf(photos));
    const main = locked.filter(({ album_id }) => album_id === album.id);
    await moveToAlbum(deps, transaction, main, { album: undefined, addedBy: album.user_id });
    await deleteFromAlbum(transaction, album.id, idsOf(photos));
    taken += photos.length;
  }
}

/** Moves subalbums of a smart album to its parent album. They keep the level that counted in the smart album. */
async function removeContainedAlbums(deps: Deps, transaction: Transaction, album: AlbumRow): Promise<number> {
  const level = narrowLevelInSql(await findWidestInAlbum(transaction, album.id));
  const inner = await transaction
    .updateTable('albums')
    .set({ parent_id: album.parent_id, level })
    .where('parent_id', '=', album.id)
    .returning('id')
    .execute();
  for (const child of inner) await setAlbumVisibility(deps, transaction, child);
  return inner.length;
}
