/** Finds a few tags, users, albums and cameras that match a keyword and that the viewer can see. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { boundedReadOptions } from '../../platform/db/dialect.ts';
import { containsFolded, foldSearchText } from '../../platform/db/fold.ts';
import { findAlbums } from '../albums/list.ts';
import { createViewerPathSigner } from '../delivery/paths.ts';
import { presentUser } from '../identity/present.ts';
import type { Viewer } from '../identity/viewer.ts';
import { groupInScopesCondition } from '../library/counts.ts';
import { withoutAdminRights } from '../library/permissions.ts';
import { chooseVisibleBranches } from '../photos/list/filter.ts';
import { listTags } from '../photos/tags/list.ts';
import { findUsers } from '../users/store.ts';
import type { SearchSuggestions } from './schema.ts';

const maxSuggestions = 5;
const suggestionPage = { page: 1, limit: maxSuggestions };
const newestFirst = { sort: 'create_time', order: 'desc' } as const;

export async function findSearchSuggestions(
  deps: Deps,
  viewer: Viewer | undefined,
  keyword: string,
): Promise<SearchSuggestions> {
  if (keyword.trim() === '') return { tags: [], users: [], albums: [], cameras: [] };
  const signer = createViewerPathSigner(deps, viewer);
  const window = { limit: maxSuggestions, offset: 0 };
  const [tags, { users }, albums, cameras] = await Promise.all([
    listTags(deps, viewer, { keyword, ...suggestionPage }),
    findUsers(deps, viewer, keyword, window),
    findAlbums(deps, withoutAdminRights(viewer), { keyword, ...newestFirst }, window),
    findCameras(deps, viewer, keyword),
  ]);
  return {
    tags: tags.list,
    users: users.map((user) => presentUser(user, signer)),
    albums: albums.map(({ id, name }) => ({ id, name })),
    cameras,
  };
}

async function findCameras({ db }: Deps, viewer: Viewer | undefined, keyword: string) {
  const { rows } = await sql<{
    name: string;
    n: number;
  }>`SELECT equipment_names.name, sum(photo_groups.n) AS n
    FROM equipment_names JOIN photo_groups ON photo_groups.value = equipment_names.name
    WHERE ${containsFolded('equipment_names.name_key', foldSearchText(keyword.trim()))} AND ${groupInScopesCondition(chooseVisibleBranches(viewer, undefined), 'camera')}
    GROUP BY equipment_names.name HAVING sum(photo_groups.n) > 0
    ORDER BY n DESC, equipment_names.name LIMIT ${sql.lit(maxSuggestions)}`.execute(
    db.slow(boundedReadOptions),
  );
  return rows.map(({ name, n }) => ({ name, count: n }));
}
