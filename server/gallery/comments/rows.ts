/** The queries behind the lists of comments. Each asks the photo's visibility itself. */

import { type Kysely, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type Arg, plannedOnce, prepare } from '../../platform/db/prepared.ts';
import type { UserStatus } from '../../platform/db/states.ts';
import type { CommentRow, Tables } from '../../platform/db/tables.ts';
import type { Author } from '../identity/present.ts';
import { isNotTrashed, visibleTo } from '../library/visible.ts';

/** A comment with its author, and whether the viewer likes it. */
export type ShownRow = CommentRow &
  Author & { /** Of the author's account. */ status: UserStatus; liked: number | null };

const firstReplies = 3;

export function prepareRows({ db }: Deps) {
  return {
    /** Of a photo (arguments: photo, viewer, admin, limit, offset), the newest first. */
    page: prepare<ShownRow>(db, pageOfPhoto),
    /** Of a comment (arguments: parent, …), the oldest first. */
    replies: prepare<ShownRow>(db, pageOfReplies),
    /** The first replies of all comments of a photo from id `from` to id `to`, the oldest of each first. */
    firstReplies: prepare<ShownRow>(db, firstRepliesOf),
    one: prepare<ShownRow>(db, oneComment),
  };
}

/** Its author sees it even where they see the photo no longer: they may still change it. */
function oneComment(query: Kysely<Tables>, arg: Arg) {
  return shown(query, arg)
    .innerJoin('photos', 'photos.id', 'comments.photo_id')
    .where('comments.id', '=', arg<number>('id'))
    .where(isNotTrashed)
    .where((is) => is.or([is('comments.user_id', '=', arg<number>('viewer')), visibleTo(viewerOf(arg))]));
}

function pageOfPhoto(query: Kysely<Tables>, arg: Arg) {
  const ids = commentsOf(query).where('photo_id', '=', arg<number>('photo')).where('parent_id', 'is', null);
  const page = pageOf(ids.orderBy('id', 'desc'), arg);
  return ofPhoto(query, arg).innerJoin(page, 'page.id', 'comments.id').orderBy('comments.id', 'desc');
}

function pageOfReplies(query: Kysely<Tables>, arg: Arg) {
  const ids = commentsOf(query).where('parent_id', '=', arg<number>('parent'));
  const page = pageOf(ids.orderBy('id'), arg);
  return ofVisiblePhotos(query, arg).innerJoin(page, 'page.id', 'comments.id').orderBy('comments.id');
}

function commentsOf(query: Kysely<Tables>) {
  return query.selectFrom('comments').select('id');
}

/** Ids from the index first: what is skipped is not read. */
function pageOf(ids: ReturnType<typeof commentsOf>, arg: Arg) {
  return ids
    .limit(plannedOnce(arg<number>('limit')))
    .offset(arg<number>('offset'))
    .as('page');
}

/** Up to the third reply of each comment, which its index finds without reading those after it. */
function firstRepliesOf(query: Kysely<Tables>, arg: Arg) {
  return (
    ofPhoto(query, arg)
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
      // As the two indexes hold them.
      .orderBy('top.id')
      .orderBy('comments.id')
  );
}

/** Of one photo, whose visibility is asked once and not for each row. */
function ofPhoto(query: Kysely<Tables>, arg: Arg) {
  return shown(query, arg).where((is) =>
    is.exists(
      is
        .selectFrom('photos')
        .select('photos.id')
        .where('photos.id', '=', arg<number>('photo'))
        .where(visibleTo(viewerOf(arg))),
    ),
  );
}

function ofVisiblePhotos(query: Kysely<Tables>, arg: Arg) {
  return shown(query, arg)
    .innerJoin('photos', 'photos.id', 'comments.photo_id')
    .where(visibleTo(viewerOf(arg)));
}

function viewerOf(arg: Arg) {
  return { id: arg<number>('viewer'), isAdmin: arg<number>('admin') };
}

function shown(query: Kysely<Tables>, arg: Arg) {
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
