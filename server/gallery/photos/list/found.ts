/** A page of what a query finds, and how many photos that are, in one read: finding them is most of its cost. */
import type { Deps } from '../../../deps.ts';
import type { Window } from '../../../platform/http/pagination.ts';
import { accountIsEnabled, isNotHiddenSince } from '../../library/visible.ts';
import type { PhotoItemRow } from '../present.ts';
import { itemColumns } from './columns.ts';
import type { ListFilter } from './filter.ts';
import { foundIn } from './narrow.ts';
import { isAsked } from './sorting.ts';

export interface Found {
  total: number;
  rows: PhotoItemRow[];
}

/** Whether what is sorted by stands where queries look: then nothing is gained by counting first. */
export function isFoundAtOnce({ condition, column, branches }: ListFilter): boolean {
  return condition !== undefined && isAsked(column) && branches.length > 0;
}

/** Of a filter that is found at once. Throws QueryTooSlow. */
export async function readFound({ db }: Deps, filter: ListFilter, window: Window): Promise<Found> {
  const { column, order, reactionsOf, viewerId, showsDisabled } = filter;
  const [first, ...others] = filter.branches.map((branch) =>
    foundIn(db.bounded, db, filter, branch).select((photo) => [
      'photos.id',
      photo.ref(`photos.${column}`).as('sort_value'),
    ]),
  );
  let all = first!;
  for (const other of others) all = all.unionAll(other);
  const found = await db.bounded
    .with(
      (cte) => cte('found').materialized(),
      () => all,
    )
    .with(
      (cte) => cte('items').materialized(),
      (query) =>
        query
          .selectFrom((page) =>
            page
              .selectFrom('found')
              .select(['found.id', 'found.sort_value'])
              .orderBy('found.sort_value', order)
              .orderBy('found.id', order)
              .limit(window.limit)
              .offset(window.offset)
              .as('page'),
          )
          // In this order: SQLite, which expects many rows of `found`, would begin with all photos.
          .crossJoin('photos')
          .whereRef('photos.id', '=', 'page.id')
          .crossJoin('users')
          .whereRef('users.id', '=', 'photos.user_id')
          .select(itemColumns(reactionsOf))
          .select('page.sort_value')
          .$if(!showsDisabled, (item) => item.where(accountIsEnabled).where(isNotHiddenSince(viewerId))),
    )
    .selectFrom((query) =>
      query
        .selectFrom('found')
        .select((count) => count.fn.countAll<number>().as('total'))
        .as('counted'),
    )
    .leftJoin('items', (join) => join.onTrue())
    .selectAll('items')
    .select('counted.total')
    .orderBy('items.sort_value', order)
    .orderBy('items.id', order)
    .execute();
  const total = found[0]!.total;
  return { total, rows: found.filter(({ id }) => id !== null) as PhotoItemRow[] };
}
