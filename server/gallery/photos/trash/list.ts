/** Lists the photos in a user's trash, the latest deletion first. */

import type { Deps } from '../../../deps.ts';
import { limitWithStablePlan, prepareRead } from '../../../platform/db/prepared.ts';
import { Visibility } from '../../../platform/db/states.ts';
import { createPagination, type PaginationRequest, toRowWindow } from '../../../platform/http/pagination.ts';
import { timeText } from '../../../platform/http/time.ts';
import { createViewerPathSigner } from '../../delivery/paths.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { selectPhotoItemColumns } from '../list/item.ts';
import { type PhotoItemRow, presentPhotoItem } from '../present.ts';

type TrashRow = PhotoItemRow & { delete_time: number };

export function createListTrash(deps: Deps) {
  const findRows = prepareRows(deps);
  const findTotal = prepareRead<{ n: number }>(deps.db, (query, arg) =>
    query
      .selectFrom('photo_totals')
      .select('n')
      .where('user_id', '=', arg<number>('user'))
      .where('visibility', '=', Visibility.trash),
  );

  return async (viewer: Viewer, query: PaginationRequest) => {
    const [total] = await findTotal({ user: viewer.id });
    const rows = await findRows({ user: viewer.id, ...toRowWindow(query) });
    const signer = createViewerPathSigner(deps, viewer);
    return {
      list: rows.map((row) => ({ ...presentPhotoItem(row, signer), delete_time: timeText(row.delete_time) })),
      pagination: createPagination(query, total?.n ?? 0),
    };
  };
}

function prepareRows({ db }: Deps) {
  return prepareRead<TrashRow>(db, (query, arg) =>
    query
      .selectFrom('photos')
      .innerJoin('users', 'users.id', 'photos.user_id')
      .innerJoin('photo_views', 'photo_views.photo_id', 'photos.id')
      .innerJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
      .select(selectPhotoItemColumns(arg<number>('user')))
      .select((photo) => photo.ref('photos.delete_time').$notNull().as('delete_time'))
      .where('photos.user_id', '=', arg<number>('user'))
      .where('photos.delete_time', 'is not', null)
      .orderBy('photos.delete_time', 'desc')
      .orderBy('photos.id', 'desc')
      .limit(limitWithStablePlan(arg<number>('limit')))
      .offset(arg<number>('offset')),
  );
}
