/** Lists the favorites of a user, the latest first. Only photos that the viewer can see are included. */

import type { Deps } from '../../deps.ts';
import { boundedReadOptions } from '../../platform/db/dialect.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { type PaginationRequest, readQueryPage } from '../../platform/http/pagination.ts';
import { createViewerPathSigner } from '../delivery/paths.ts';
import type { Viewer } from '../identity/viewer.ts';
import { visibleToViewerCondition } from '../library/visibility-sql.ts';
import { chooseVisibleBranches } from '../photos/list/filter.ts';
import { selectPhotoItemColumns } from '../photos/list/item.ts';
import { presentPhotoItem } from '../photos/present.ts';
import { readSearchCondition } from '../photos/query/condition.ts';

/** Returns a page of favorites. Throws forbidden if the viewer is neither the user nor an admin. */
export async function listFavorites(
  deps: Deps,
  viewer: Viewer,
  userId: number,
  query: PaginationRequest & { q?: string },
) {
  if (viewer.id !== userId && !viewer.isAdmin) throw errors.forbidden();
  // The query runs on a separate connection, because it must test every favorite that has become private.
  const condition = query.q === undefined ? undefined : await readSearchCondition(deps, viewer, query.q);
  const visible = deps.db
    .slow(condition && boundedReadOptions)
    .selectFrom('favorites')
    .innerJoin('photos', 'photos.id', 'favorites.photo_id')
    .innerJoin('users', 'users.id', 'photos.user_id')
    .where('favorites.user_id', '=', userId)
    .where(visibleToViewerCondition({ id: viewer.id, isAdmin: 0 }))
    .$if(condition !== undefined, (some) =>
      some.where((is) =>
        is.or(
          chooseVisibleBranches(viewer, undefined).map((branch) =>
            is.and([
              is('photos.visibility', '=', branch.visibility),
              ...(branch.userId === undefined ? [] : [is('photos.user_id', '=', branch.userId)]),
              condition!.where(branch, { isTested: false }),
            ]),
          ),
        ),
      ),
    );
  const { rows, pagination } = await readQueryPage(visible, query, (some) =>
    some
      .innerJoin('photo_views', 'photo_views.photo_id', 'photos.id')
      .innerJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
      .select(selectPhotoItemColumns(viewer.id))
      .orderBy('favorites.create_time', 'desc')
      .orderBy('favorites.photo_id', 'desc'),
  );
  const signer = createViewerPathSigner(deps, viewer);
  return { list: rows.map((row) => presentPhotoItem(row, signer)), pagination };
}
