/**
 * Lists tags with the number of photos that have them and that the viewer can see. The counts are stored (see
 * platform/db/dialect.ts), so a page reads no photos.
 */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { containsFolded, foldSearchText } from '../../../platform/db/fold.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import {
  createPagination,
  type PaginationRequest,
  paginatedQuery,
  toRowWindow,
} from '../../../platform/http/pagination.ts';
import { textField } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { everyoneUserId, totalInScopesCondition } from '../../library/counts.ts';
import { maxTagLength } from '../../library/tags.ts';
import { chooseVisibleBranches } from '../list/filter.ts';

export const TagsQuery = paginatedQuery({
  keyword: Type.Optional(textField(maxTagLength, 'Substring of the tag, without regard to case')),
});

export const Tag = Type.Object(
  {
    name: Type.String({ examples: ['alps'] }),
    count: Type.Integer({
      minimum: 1,
      description: 'Number of photos with this tag that the caller can see',
    }),
  },
  { title: 'Tag' },
);

interface TagRow {
  name: string;
  count: number;
}

/** Lists tags, the most used first, then by name as people count (2 before 10). `keyword` is a substring, compared without case. */
export async function listTags(
  { db }: Deps,
  viewer: Viewer | undefined,
  query: PaginationRequest & { keyword?: string },
) {
  const folded = foldSearchText(query.keyword?.trim() ?? '');
  const { limit, offset } = toRowWindow(query);
  const total = await countTags(db.slow(), viewer, folded);
  if (offset >= total) return { list: [], pagination: createPagination(query, total) };
  const { rows } = await sql<TagRow>`
    SELECT name, n AS count FROM (${visibleTags(viewer, folded)}) AS tags
    ORDER BY n DESC, sort_key LIMIT ${limit} OFFSET ${offset}`.execute(db.slow());
  return { list: rows, pagination: createPagination(query, total) };
}

async function countTags(
  kysely: Kysely<Tables>,
  viewer: Viewer | undefined,
  folded: string,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (${visibleTags(viewer, folded)}) AS tags`.execute(kysely);
  return rows[0]!.n;
}

/**
 * Selects public tags with their stored counts, merged with the tags of the other photos that the viewer can see. A tag
 * in both lists appears once with the sum, spelled as in public photos.
 */
function visibleTags(viewer: Viewer | undefined, folded: string): RawBuilder<unknown> {
  const open = sql`SELECT open.name, open.sort_key, open.n FROM tag_totals AS open
    WHERE open.user_id = ${everyoneUserId} AND open.visibility = ${sql.lit(Visibility.public)} ${andNamed('open', folded)}`;
  if (!viewer) return open;
  const hidden = chooseVisibleBranches(viewer, undefined, 0);
  return sql`WITH others AS MATERIALIZED (SELECT name_key, min(sort_key) AS sort_key, min(name) AS name, sum(n) AS n FROM tag_totals
      WHERE ${totalInScopesCondition(hidden, 'tag_totals')} ${andNamed('tag_totals', folded)} GROUP BY name_key)
    ${open} AND NOT EXISTS (SELECT 1 FROM others WHERE others.name_key = open.name_key)
    UNION ALL
    SELECT coalesce(open.name, others.name), others.sort_key, others.n + coalesce(open.n, 0)
    FROM others LEFT JOIN tag_totals AS open
      ON open.user_id = ${everyoneUserId} AND open.visibility = ${sql.lit(Visibility.public)} AND open.name_key = others.name_key`;
}

function andNamed(table: 'open' | 'tag_totals', folded: string): RawBuilder<unknown> {
  return folded ? sql`AND ${containsFolded(`${table}.name_key`, folded)}` : sql``;
}
