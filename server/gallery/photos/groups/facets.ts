/** Counts the most frequent tags, cameras, lenses, years and owners among the photos of a list, twenty of each. */
import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { boundedReadOptions } from '../../../platform/db/dialect.ts';
import { naturalSortKey } from '../../../platform/db/fold.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import { createViewerPathSigner } from '../../delivery/paths.ts';
import { type AuthorColumns, presentUser } from '../../identity/present.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { everyoneUserId, groupInScopesCondition, totalInScopesCondition } from '../../library/counts.ts';
import {
  hasFilterConditions,
  type PhotoListBranch,
  type PhotoListFilter,
  resolvePhotoListFilter,
} from '../list/filter.ts';
import { selectBranchPhotos } from '../list/query.ts';
import type { FacetsQuery, PhotoFacets } from './schema.ts';

const maxValues = sql.lit(20);

type Facet = 'tag' | 'camera' | 'lens' | 'year' | 'user';

interface FacetRow {
  facet: Facet;
  value: string;
  n: number;
}

/** Returns the facets of a list. Throws unauthenticated, albumNotFound, albumForbidden or QueryTooSlow. */
export async function readFacets(
  deps: Deps,
  viewer: Viewer | undefined,
  query: FacetsQuery,
): Promise<PhotoFacets> {
  const filter = await resolvePhotoListFilter(deps, viewer, {
    ...query,
    ...{ sort: 'create_time', order: 'desc', page: 1, limit: 1 },
  });
  const rows = filter.branches.length === 0 ? [] : await findRows(deps, filter);
  const of = (facet: Facet) => sortByCount(rows.filter((row) => row.facet === facet));
  const named = (facet: Facet) => of(facet).map(({ value, n }) => ({ name: value, count: n }));
  return {
    tags: named('tag'),
    cameras: named('camera'),
    lenses: named('lens'),
    years: of('year').map(({ value, n }) => ({ year: Number(value), count: n })),
    users: await findFacetUsers(deps, viewer, filter, of('user')),
  };
}

/** Sorts values by count, and values of equal count by name as people count. */
function sortByCount(rows: FacetRow[]): FacetRow[] {
  const keyed = rows.map((row) => ({ row, key: Buffer.from(naturalSortKey(row.value)) }));
  keyed.sort((one, other) => other.row.n - one.row.n || Buffer.compare(one.key, other.key));
  return keyed.map(({ row }) => row);
}

async function findRows(deps: Deps, filter: PhotoListFilter): Promise<FacetRow[]> {
  const query = hasFilterConditions(filter) ? countFacetsInSql(deps, filter) : storedFacets(filter.branches);
  const { rows } = await query.execute(deps.db.slow(boundedReadOptions));
  return rows;
}

type FacetSelect = RawBuilder<unknown>;

/** Selects the most frequent values of each facet; equal counts are sorted by name. */
function selectLargestGroups(facets: Record<Facet, FacetSelect>): RawBuilder<FacetRow> {
  const parts = Object.entries(facets).map(
    ([facet, counted]) => sql`SELECT * FROM (SELECT ${sql.lit(facet)} AS facet, value, n
      FROM (${counted}) AS counted WHERE n > 0 ORDER BY n DESC, value LIMIT ${maxValues}) AS top`,
  );
  return sql<FacetRow>`${sql.join(parts, sql` UNION ALL `)}`;
}

function storedFacets(branches: PhotoListBranch[]): RawBuilder<FacetRow> {
  const group = (kind: 'camera' | 'lens' | 'taken', value: FacetSelect) =>
    sql`SELECT ${value} AS value, sum(n) AS n FROM photo_groups WHERE ${groupInScopesCondition(branches, kind)} GROUP BY 1`;
  return selectLargestGroups({
    tag: sql`SELECT min(name) AS value, sum(n) AS n FROM tag_totals
      WHERE ${totalInScopesCondition(branches, 'tag_totals')} GROUP BY name_key`,
    camera: group('camera', sql`value`),
    lens: group('lens', sql`value`),
    year: group('taken', sql`substr(value, 1, 4)`),
    user: sql`SELECT CAST(user_id AS text) AS value, sum(n) AS n FROM photo_totals
      WHERE user_id <> ${sql.lit(everyoneUserId)} AND ${ownersCondition(branches)} GROUP BY user_id`,
  });
}

function ownersCondition(branches: PhotoListBranch[]): FacetSelect {
  const ofEach = branches.map(({ visibility, userId }) =>
    userId === undefined
      ? sql`visibility = ${visibility}`
      : sql`(visibility = ${visibility} AND user_id = ${userId})`,
  );
  return sql`(${sql.join(ofEach, sql` OR `)})`;
}

/** Counts the facets of a filtered list. The query finds the photos once and counts them five times. */
function countFacetsInSql({ db }: Deps, filter: PhotoListFilter): RawBuilder<FacetRow> {
  const parts = filter.branches.map((branch) => {
    const photos = selectBranchPhotos(db.slow(boundedReadOptions), db, filter, branch)
      .where(db.deadlineCheck('photos.id'))
      .select(['photos.id', 'photos.user_id', 'photos.camera', 'photos.lens'])
      .select(db.month('photos.taken_time').as('month'));
    return sql`SELECT * FROM ${photos.as('branch')}`;
  });
  const isInTime = db.deadlineCheck('found.id');
  const column = (name: 'camera' | 'lens') =>
    sql`SELECT ${sql.ref(name)} AS value, count(*) AS n FROM found
      WHERE ${sql.ref(name)} <> '' AND ${isInTime} GROUP BY 1`;
  const facets = selectLargestGroups({
    tag: sql`SELECT min(photo_tags.name) AS value, count(*) AS n FROM found
      CROSS JOIN photo_tags WHERE photo_tags.photo_id = found.id AND ${isInTime}
      GROUP BY photo_tags.name_key`,
    camera: column('camera'),
    lens: column('lens'),
    year: sql`SELECT substr(month, 1, 4) AS value, count(*) AS n FROM found WHERE ${isInTime} GROUP BY 1`,
    user: sql`SELECT CAST(user_id AS text) AS value, count(*) AS n FROM found WHERE ${isInTime} GROUP BY user_id`,
  });
  return sql<FacetRow>`WITH found AS MATERIALIZED (${sql.join(parts, sql` UNION ALL `)}) ${facets}`;
}

/** Returns the owners among the facets. Stored counts may still include accounts that were just disabled. */
async function findFacetUsers(
  deps: Deps,
  viewer: Viewer | undefined,
  { showsDisabled }: PhotoListFilter,
  rows: FacetRow[],
): Promise<PhotoFacets['users']> {
  if (rows.length === 0) return [];
  const users: (AuthorColumns & { id: number })[] = await deps.db.kysely
    .selectFrom('users')
    .select(['id', 'username', 'nickname', 'avatar'])
    .where(
      'id',
      'in',
      rows.map(({ value }) => Number(value)),
    )
    .$if(!showsDisabled, (query) => query.where('status', '=', UserStatus.enabled))
    .execute();
  const signer = createViewerPathSigner(deps, viewer);
  const byId = new Map(users.map((user) => [user.id, user]));
  return rows.flatMap(({ value, n }) => {
    const user = byId.get(Number(value));
    return user ? [{ user: presentUser(user, signer), count: n }] : [];
  });
}
