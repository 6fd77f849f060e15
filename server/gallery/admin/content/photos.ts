/**
 * Lists photos for admins, including private ones. Photos in the trash are visible only to their owner, so admins
 * do not see them.
 */

import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { foldSearchText } from '../../../platform/db/fold.ts';
import { idsOf } from '../../../platform/db/rows.ts';
import { readQueryPage } from '../../../platform/http/pagination.ts';
import { createViewerPathSigner } from '../../delivery/paths.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { visibilitiesOutsideTrash } from '../../library/visibility-rule.ts';
import { countOpenReports, selectReportedTargets } from '../../moderation/reports.ts';
import { resolveAdminListFilter } from '../../photos/list/filter.ts';
import { selectPhotoItemColumns } from '../../photos/list/item.ts';
import { createListPhotos, type PhotoPage } from '../../photos/list/list.ts';
import { presentPhotoItem } from '../../photos/present.ts';
import type { AdminPhotosQuery } from '../reports/schema.ts';

/**
 * Returns a function that lists all photos for an admin, newest first. Uses the public list, whose cost does not
 * grow with the library.
 */
export function createListAdminPhotos(deps: Deps) {
  const listPhotos = createListPhotos(deps, resolveAdminListFilter);

  return async (viewer: Viewer, query: AdminPhotosQuery) => {
    const { list, pagination } = query.reported
      ? await listReported(deps, viewer, query)
      : await listPhotos(viewer, { ...query, sort: 'create_time', order: 'desc' });
    const ids = idsOf(list);
    const reports = await countOpenReports(deps, 'photo', ids);
    return {
      list: list.map((item) => ({ ...item, reports: reports.get(item.id) ?? 0 })),
      pagination,
    };
  };
}

/** Returns a page of the reported photos, the most reported first. The query starts from the open reports. */
async function listReported(deps: Deps, viewer: Viewer, query: AdminPhotosQuery): Promise<PhotoPage> {
  const { db } = deps;
  const keyword = foldSearchText(query.keyword?.trim() ?? '');
  const found = visibilitiesOutsideTrash.map(
    (visibility) =>
      sql`photos.id IN (SELECT id FROM ${db.search.matches([keyword], { visibility })} AS found)`,
  );
  const matching = db
    .slow()
    .selectFrom(selectReportedTargets(db, 'photo').as('reported'))
    .innerJoin('photos', 'photos.id', 'reported.target_id')
    .where('photos.visibility', 'in', visibilitiesOutsideTrash)
    .$if(query.user_id !== undefined, (some) => some.where('photos.user_id', '=', query.user_id!))
    .$if(keyword !== '', (some) => some.where(sql<boolean>`(${sql.join(found, sql` OR `)})`));
  const { rows, pagination } = await readQueryPage(matching, query, (some) =>
    some
      .innerJoin('users', 'users.id', 'photos.user_id')
      .innerJoin('photo_views', 'photo_views.photo_id', 'photos.id')
      .innerJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
      .select(selectPhotoItemColumns(viewer.id))
      .orderBy('reported.n', 'desc')
      .orderBy('photos.id', 'desc'),
  );
  const signer = createViewerPathSigner(deps, viewer);
  return { list: rows.map((row) => presentPhotoItem(row, signer)), pagination };
}
