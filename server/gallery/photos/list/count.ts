/** Counts the photos of a list, from stored totals or from the smallest index that has the answer. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { boundedReadOptions } from '../../../platform/db/dialect.ts';
import { prepareRead } from '../../../platform/db/prepared.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { everyoneUserId } from '../../library/counts.ts';
import { selectAlbumPhotoIds, selectTaggedIds } from '../query/ids-sql.ts';
import { hasFilterConditions, type PhotoListBranch, type PhotoListFilter } from './filter.ts';
import { selectBranchPhotos } from './query.ts';

/** Maximum number of branches: see `chooseVisibleBranches`. */
const maxBranches = 3;

/** Prepares the statement that reads the stored totals of branches. */
export function prepareCount(db: Deps['db']) {
  const places = Array.from({ length: maxBranches }, (_, place) => place);
  const find = prepareRead<Record<string, number | null>>(db, (query, arg) =>
    query.selectNoFrom((totals) =>
      places.map((place) =>
        totals
          .selectFrom('photo_totals')
          .select('n')
          .where('user_id', '=', arg<number>(`user${place}`))
          .where('visibility', '=', arg<Visibility>(`visibility${place}`))
          .as(`n${place}`),
      ),
    ),
  );
  return async (branches: PhotoListBranch[]): Promise<number[]> => {
    const asked = places.flatMap((place) => [
      [`user${place}`, branches[place]?.userId ?? everyoneUserId],
      [`visibility${place}`, branches[place]?.visibility ?? Visibility.trash],
    ]);
    const [totals] = await find(Object.fromEntries(asked));
    return branches.map((_, place) => totals?.[`n${place}`] ?? 0);
  };
}

/** Returns true if a filtered list has photos. The read ends at the first one. */
export async function hasAnyPhoto(db: Deps['db'], filter: PhotoListFilter): Promise<boolean> {
  const kysely = chooseConnection(db, filter);
  for (const branch of filter.branches) {
    const photos = selectBranchPhotos(kysely, db, filter, branch).select('photos.id').limit(sql.lit(1));
    if ((await photos.executeTakeFirst()) !== undefined) return true;
  }
  return false;
}

/** Counts the photos of each branch of a filtered list. */
export function countNarrowed(db: Deps['db'], filter: PhotoListFilter): Promise<number[]> {
  return Promise.all(filter.branches.map((branch) => countBranch(db, filter, branch)));
}

/**
 * Counts the photos of a branch. Uses the smallest structure that has the answer: the search index, a tag's index
 * range, or the photos.
 */
async function countBranch(
  db: Deps['db'],
  filter: PhotoListFilter,
  branch: PhotoListBranch,
): Promise<number> {
  const { keyword, tag, ...others } = filter;
  const kysely = chooseConnection(db, filter);
  if (filter.albumId !== undefined && !hasFilterConditions({ ...filter, albumId: undefined })) {
    return count(kysely, sql`(${selectAlbumPhotoIds(filter.albumId, branch)})`);
  }
  const isAlone = !hasFilterConditions({ ...others, albumId: filter.albumId });
  // The search index separates private photos by owner, but not other photos.
  const isOfIndex = branch.visibility === Visibility.private || branch.userId === undefined;
  if (keyword && !tag && isAlone && isOfIndex && !(await isIndexMoving(kysely))) {
    return count(kysely, sql`${db.search.matches([keyword], branch)}`);
  }
  if (tag !== undefined && !keyword && isAlone) return count(kysely, sql`(${selectTaggedIds(tag, branch)})`);
  const photos = selectBranchPhotos(kysely, db, filter, branch).select('photos.id');
  return count(kysely, sql`(${photos})`);
}

/**
 * Returns true while photos wait for a visibility update in the search index. Until then, only the rows of photos have
 * the current visibility.
 */
async function isIndexMoving(kysely: Kysely<Tables>): Promise<boolean> {
  return (
    (await kysely
      .selectFrom('visibility_jobs')
      .select('id')
      .where('kind', '=', 'photo')
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}

async function count(kysely: Kysely<Tables>, rows: RawBuilder<unknown>): Promise<number> {
  const { rows: counted } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${rows} AS found`.execute(
    kysely,
  );
  return counted[0]!.n;
}

/** Chooses the connection for a list. Reads with a client's search query have a time limit. */
export function chooseConnection(db: Deps['db'], { condition }: PhotoListFilter): Kysely<Tables> {
  return condition ? db.slow(boundedReadOptions) : db.slow();
}
