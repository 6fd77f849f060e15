/** Finds a few tags, users, albums and cameras that match a keyword and that the viewer can see. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { boundedRead } from '../../platform/db/dialect.ts';
import { containsFolded, foldText } from '../../platform/db/fold.ts';
import { findAlbums } from '../albums/list.ts';
import { signerFor } from '../delivery/paths.ts';
import { presentUser } from '../identity/present.ts';
import type { Viewer } from '../identity/viewer.ts';
import { isGroupIn } from '../library/counts.ts';
import { asMember } from '../library/permissions.ts';
import { branchesFor } from '../photos/list/filter.ts';
import { listTags } from '../photos/tags/list.ts';
import { findUsers } from '../users/store.ts';
import type { Suggestions } from './schema.ts';

const maxSuggestions = 5;
const suggestionPage = { page: 1, limit: maxSuggestions };
const newestFirst = { sort: 'create_time', order: 'desc' } as const;

export async function findSuggestions(
  deps: Deps,
  viewer: Viewer | undefined,
  keyword: string,
): Promise<Suggestions> {
  if (keyword.trim() === '') return { tags: [], users: [], albums: [], cameras: [] };
  const signer = signerFor(deps, viewer);
  const window = { limit: maxSuggestions, offset: 0 };
  const [tags, { users }, albums, cameras] = await Promise.all([
    listTags(deps, viewer, { keyword, ...suggestionPage }),
    findUsers(deps, viewer, keyword, window),
    findAlbums(deps, asMember(viewer), { keyword, ...newestFirst }, window),
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
    WHERE ${containsFolded('equipment_names.name_key', foldText(keyword.trim()))} AND ${isGroupIn(branchesFor(viewer, undefined), 'camera')}
    GROUP BY equipment_names.name HAVING sum(photo_groups.n) > 0
    ORDER BY n DESC, equipment_names.name LIMIT ${sql.lit(maxSuggestions)}`.execute(db.slow(boundedRead));
  return rows.map(({ name, n }) => ({ name, count: n }));
}
