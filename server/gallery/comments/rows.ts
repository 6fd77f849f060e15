/** Builds the queries for lists of comments. Each query checks the photo's visibility itself. */

import { type Kysely, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type BindArgument, limitWithStablePlan, prepareRead } from '../../platform/db/prepared.ts';
import type { UserStatus } from '../../platform/db/states.ts';
import type { CommentRow, Tables } from '../../platform/db/tables.ts';
import type { AuthorColumns } from '../identity/present.ts';
import { notTrashedCondition, visibleToViewerCondition } from '../library/visibility-sql.ts';

/** Row of a comment with its author and the time of the viewer's like. */
export type VisibleCommentRow = CommentRow &
  AuthorColumns & {
    /** Status of the account that wrote the comment. */ status: UserStatus;
    liked: number | null;
  };

const firstReplies = 3;

export function prepareCommentQueries({ db }: Deps) {
  return {
    /** Finds a page of a photo's comments, newest first. Arguments: photo, viewer, admin, limit, offset. */
    page: prepareRead<VisibleCommentRow>(db, photoCommentsPage),
    /** Finds a page of a comment's replies, oldest first. Arguments: parent, viewer, admin, limit, offset. */
    replies: prepareRead<VisibleCommentRow>(db, repliesPage),
    /**
     * Finds the first replies of a photo's comments with ids between `from` and `to`, oldest first for each
     * comment.
     */
    firstReplies: prepareRead<VisibleCommentRow>(db, firstRepliesQuery),
    one: prepareRead<VisibleCommentRow>(db, oneComment),
  };
}

/**
 * Builds the query for one comment. Its author finds the comment even without access to the photo, because authors
 * can always edit their comments.
 */
function oneComment(query: Kysely<Tables>, arg: BindArgument) {
  return selectShownComments(query, arg)
    .innerJoin('photos', 'photos.id', 'comments.photo_id')
    .where('comments.id', '=', arg<number>('id'))
    .where(notTrashedCondition)
    .where((is) =>
      is.or([
        is('comments.user_id', '=', arg<number>('viewer')),
        visibleToViewerCondition(viewerFromArgs(arg)),
      ]),
    );
}

function photoCommentsPage(query: Kysely<Tables>, arg: BindArgument) {
  const ids = selectCommentIds(query)
    .where('photo_id', '=', arg<number>('photo'))
    .where('parent_id', 'is', null);
  const page = limitToPage(ids.orderBy('id', 'desc'), arg);
  return onPhoto(query, arg).innerJoin(page, 'page.id', 'comments.id').orderBy('comments.id', 'desc');
}

function repliesPage(query: Kysely<Tables>, arg: BindArgument) {
  const ids = selectCommentIds(query).where('parent_id', '=', arg<number>('parent'));
  const page = limitToPage(ids.orderBy('id'), arg);
  return onVisiblePhotos(query, arg).innerJoin(page, 'page.id', 'comments.id').orderBy('comments.id');
}

function selectCommentIds(query: Kysely<Tables>) {
  return query.selectFrom('comments').select('id');
}

/** Limits a query of comment ids to one page. The query reads only an index, so skipped rows are not read. */
function limitToPage(ids: ReturnType<typeof selectCommentIds>, arg: BindArgument) {
  return ids
    .limit(limitWithStablePlan(arg<number>('limit')))
    .offset(arg<number>('offset'))
    .as('page');
}

/**
 * Builds the query for the first three replies of each comment. The index of replies finds the third without
 * reading later replies.
 */
function firstRepliesQuery(query: Kysely<Tables>, arg: BindArgument) {
  return (
    onPhoto(query, arg)
      .innerJoin('comments as top', 'top.id', 'comments.parent_id')
      .where('top.photo_id', '=', arg<number>('photo'))
      .where('top.parent_id', 'is', null)
      .where('top.id', '>=', arg<number>('from'))
      .where('top.id', '<=', arg<number>('to'))
      .where('top.reply_count', '>', 0)
      .where((last) =>
        last(
          'comments.id',
          '<=',
          sql<number>`coalesce((SELECT last.id FROM comments AS last WHERE last.parent_id = top.id
          ORDER BY last.id LIMIT 1 OFFSET ${sql.lit(firstReplies - 1)}), ${sql.lit(Number.MAX_SAFE_INTEGER)})`,
        ),
      )
      // Comments and replies come in the order of their indexes, so the database sorts no rows.
      .orderBy('top.id')
      .orderBy('comments.id')
  );
}

/** Builds a query on comments of one photo that checks the photo's visibility once and not for each row. */
function onPhoto(query: Kysely<Tables>, arg: BindArgument) {
  return selectShownComments(query, arg).where((is) =>
    is.exists(
      is
        .selectFrom('photos')
        .select('photos.id')
        .where('photos.id', '=', arg<number>('photo'))
        .where(visibleToViewerCondition(viewerFromArgs(arg))),
    ),
  );
}

function onVisiblePhotos(query: Kysely<Tables>, arg: BindArgument) {
  return selectShownComments(query, arg)
    .innerJoin('photos', 'photos.id', 'comments.photo_id')
    .where(visibleToViewerCondition(viewerFromArgs(arg)));
}

function viewerFromArgs(arg: BindArgument) {
  return { id: arg<number>('viewer'), isAdmin: arg<number>('admin') };
}

function selectShownComments(query: Kysely<Tables>, arg: BindArgument) {
  return query
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .leftJoin('comment_likes', (join) =>
      join
        .onRef('comment_likes.comment_id', '=', 'comments.id')
        .on('comment_likes.user_id', '=', arg<number>('viewer')),
    )
    .selectAll('comments')
    .select(['users.status', 'users.username', 'users.nickname', 'users.avatar'])
    .select(['comment_likes.create_time as liked']);
}
