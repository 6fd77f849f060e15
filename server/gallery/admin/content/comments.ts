/** Lists comments for admins, including those on private photos but not those on photos in the trash. */

import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { containsFolded, foldText } from '../../../platform/db/fold.ts';
import { countRows, idsOf } from '../../../platform/db/rows.ts';
import { Visibility } from '../../../platform/db/states.ts';
import { createPagination, toRowWindow } from '../../../platform/http/pagination.ts';
import { timeText } from '../../../platform/http/time.ts';
import { createViewerPathSigner } from '../../delivery/paths.ts';
import { authorColumns, presentUser } from '../../identity/present.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { visibilitiesOutsideTrash } from '../../library/visibility-rule.ts';
import { countOpenReports, selectReportedTargets } from '../../moderation/reports.ts';
import type { AdminComment, AdminCommentsQuery } from '../reports/schema.ts';

/** Returns a page of comments for admins, newest first, or the most reported first. */
export async function listAdminComments(deps: Deps, viewer: Viewer, query: AdminCommentsQuery) {
  const total = await countComments(deps, query);
  const { limit, offset } = toRowWindow(query);
  const rows = await selectMatchingComments(deps, query)
    .innerJoin('users', 'users.id', 'comments.user_id')
    .selectAll('comments')
    .select(authorColumns)
    .$if(query.reported === 1, (some) => some.orderBy(sql.ref('reported.n'), 'desc'))
    .orderBy('comments.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const ids = idsOf(rows);
  const reports = await countOpenReports(deps, 'comment', ids);
  const signer = createViewerPathSigner(deps, viewer);
  const list = rows.map(
    (comment): AdminComment => ({
      id: comment.id,
      photo_id: comment.photo_id,
      parent_id: comment.parent_id,
      content: comment.content,
      likes: comment.likes,
      reply_count: comment.reply_count,
      user: presentUser({ ...comment, id: comment.user_id }, signer),
      create_time: timeText(comment.create_time),
      reports: reports.get(comment.id) ?? 0,
    }),
  );
  return { list, pagination: createPagination(query, total) };
}

async function countComments(deps: Deps, query: AdminCommentsQuery): Promise<number> {
  const { keyword, user_id, reported } = query;
  if (keyword?.trim() || user_id !== undefined || reported) {
    return countRows(selectMatchingComments(deps, query));
  }
  const { n } = await deps.db
    .slow()
    .selectNoFrom(commentsOutsideTrashCount.as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Counts the comments on photos outside the trash: all comments, minus those on photos in the trash. */
export const commentsOutsideTrashCount = sql<number>`((SELECT count(*) FROM comments) -
  (SELECT coalesce(sum(comments), 0) FROM photo_counts WHERE visibility = ${sql.lit(Visibility.trash)}))`;

function selectMatchingComments({ db }: Deps, { keyword, user_id, reported }: AdminCommentsQuery) {
  const folded = foldText(keyword?.trim() ?? '');
  return db
    .slow()
    .selectFrom('comments')
    .innerJoin('photos', 'photos.id', 'comments.photo_id')
    .where('photos.visibility', 'in', visibilitiesOutsideTrash)
    .$if(reported === 1, (some) =>
      some.innerJoin(
        selectReportedTargets(db, 'comment').as('reported'),
        'reported.target_id',
        'comments.id',
      ),
    )
    .$if(user_id !== undefined, (some) => some.where('comments.user_id', '=', user_id!))
    .$if(folded !== '', (some) => some.where(containsFolded('comments.search_text', folded)));
}
