/** How many photos a list has, exactly. The plain lists read kept totals; filters count in their index. */

import { type Kysely, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { prepare } from '../../../platform/db/prepared.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { everybody } from '../../library/counts.ts';
import type { Branch, ListFilter } from './filter.ts';
import { foundIn } from './narrow.ts';

/** Of each branch; of all together where only that is known. */
export function createCountPhotos(deps: Deps) {
  const findTotals = prepare<{ first: number | null; second: number | null }>(deps.db, (query, arg) =>
    query.selectNoFrom((totals) => {
      const totalOf = (branch: string) =>
        totals
          .selectFrom('photo_totals')
          .select('n')
          .where('user_id', '=', arg<number>(`${branch}User`))
          .where('visibility', '=', arg<Visibility>(`${branch}Visibility`));
      return [totalOf('first').as('first'), totalOf('second').as('second')];
    }),
  );

  return async (filter: ListFilter): Promise<number[]> => {
    if (isNarrowed(filter)) return countNarrowed(deps, filter);
    const [first, second] = filter.branches;
    const [totals] = await findTotals({
      firstUser: first?.userId ?? everybody,
      firstVisibility: first?.visibility ?? Visibility.trash,
      secondUser: second?.userId ?? everybody,
      secondVisibility: second?.visibility ?? Visibility.trash,
    });
    return [totals?.first ?? 0, totals?.second ?? 0].slice(0, filter.branches.length);
  };
}

/** Of all branches together. */
export const sumOf = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);

export function isNarrowed(filter: ListFilter): boolean {
  const { albumId, tag, keyword, from, to, isPublic, condition } = filter;
  return [albumId, tag, keyword, from, to, isPublic, condition].some((one) => one !== undefined);
}

/** A client's query is ended when it takes too long. */
export function readerOf({ db }: Deps, { condition }: ListFilter): Kysely<Tables> {
  return condition ? db.bounded : db.slow;
}

async function countNarrowed(deps: Deps, filter: ListFilter): Promise<number[]> {
  if (filter.knownTotal !== undefined) return [filter.knownTotal];
  return Promise.all(
    filter.branches.map((branch) => countBranch(readerOf(deps, filter), deps.db, filter, branch)),
  );
}

async function countBranch(kysely: Kysely<Tables>, db: Deps['db'], filter: ListFilter, branch: Branch) {
  const moving =
    filter.keyword &&
    (await kysely.selectFrom('search_moves').select('photo_id').limit(1).executeTakeFirst());
  const { rows } = await countQuery(kysely, db, { ...filter, isMoving: Boolean(moving) }, branch).execute(
    kysely,
  );
  return rows[0]!.n;
}

/** From the narrowest place that knows the answer: the search index, the tag's index range, else the photos. */
function countQuery(
  kysely: Kysely<Tables>,
  db: Deps['db'],
  filter: ListFilter & { isMoving: boolean },
  branch: Branch,
) {
  const { keyword, tag, ...others } = filter;
  const { albumId, from, to, isPublic, condition } = others;
  const isPlain = [albumId, from, to, isPublic, condition].every((value) => value === undefined);
  // The search index tells private photos by owner; of public ones it knows no owner.
  // While photos move in it, only their own rows say what they are.
  if (
    keyword &&
    !tag &&
    isPlain &&
    !others.isMoving &&
    (branch.visibility === Visibility.private || branch.userId === undefined)
  ) {
    return sql<{ n: number }>`SELECT count(*) AS n FROM ${db.search.matches(keyword, branch)} AS found`;
  }
  if (tag !== undefined && !keyword && isPlain) {
    const owner = branch.userId === undefined ? sql`` : sql`AND user_id = ${branch.userId}`;
    return sql<{ n: number }>`SELECT count(*) AS n FROM photo_tags
      WHERE name_key = ${tag} AND visibility = ${branch.visibility} ${owner}`;
  }
  const photos = foundIn(kysely, db, filter, branch);
  const counted = photos.select((count) => count.fn.countAll<number>().as('n')).as('counted');
  return sql<{ n: number }>`SELECT n FROM ${counted}`;
}
