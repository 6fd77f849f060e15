/**
 * Reads the comments of a photo, the replies of a comment, and single comments. Totals come from counters in the
 * rows of the photo or the comment.
 */

import type { Deps } from '../../deps.ts';
import { prepareRead } from '../../platform/db/prepared.ts';
import type { Visibility } from '../../platform/db/states.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createPagination, type PaginationRequest, toRowWindow } from '../../platform/http/pagination.ts';
import { timeText } from '../../platform/http/time.ts';
import { createViewerPathSigner } from '../delivery/paths.ts';
import { type AvatarSigner, presentActor } from '../identity/present.ts';
import type { Viewer } from '../identity/viewer.ts';
import { canSee, isTrashed } from '../library/permissions.ts';
import { currentVisibilityColumn } from '../library/visibility-sql.ts';
import { recordAdminLook } from '../moderation/admin-looks.ts';
import { prepareCommentQueries, type VisibleCommentRow } from './rows.ts';
import type { Comment, Reply } from './schema.ts';

interface TotalRow {
  user_id: number;
  visibility_now: Visibility;
  total: number;
}

export function createReadComments(deps: Deps) {
  const rows = prepareCommentQueries(deps);
  const findPhoto = prepareThreads(deps);
  const findReplies = prepareReplyCount(deps);

  async function withReplies(viewer: Viewer | undefined, page: Awaited<ReturnType<typeof rows.page>>) {
    const answered = page.filter(({ reply_count }) => reply_count > 0);
    const [first] = answered;
    const signer = createViewerPathSigner(deps, viewer);
    if (!first) return page.map((row) => presentComment(row, [], signer));
    const ids = answered.map(({ id }) => id);
    const replies = await rows.firstReplies({
      ...viewerArgs(viewer),
      photo: first.photo_id,
      from: Math.min(...ids),
      to: Math.max(...ids),
    });
    const below = Map.groupBy(replies, (reply) => reply.parent_id!);
    return page.map((row) => presentComment(row, below.get(row.id) ?? [], signer));
  }

  return {
    /** Returns a page of a photo's comments with their first replies. Throws photoNotFound or photoForbidden. */
    async ofPhoto(viewer: Viewer | undefined, photo: number, query: PaginationRequest) {
      const [found] = await findPhoto({ photo });
      if (!found || isTrashed(found)) throw errors.photoNotFound();
      if (!canSee(viewer, found)) throw errors.photoForbidden();
      recordAdminLook(deps, viewer, found);
      const page = await rows.page({ ...viewerArgs(viewer), photo, ...toRowWindow(query) });
      return { list: await withReplies(viewer, page), pagination: createPagination(query, found.total) };
    },

    /** Returns a page of a comment's replies. Throws commentNotFound or commentForbidden. */
    async replies(viewer: Viewer | undefined, parent: number, query: PaginationRequest) {
      const [found] = await findReplies({ parent });
      if (!found || isTrashed(found)) throw errors.commentNotFound();
      if (!canSee(viewer, found)) throw errors.commentForbidden();
      recordAdminLook(deps, viewer, found);
      const page = await rows.replies({ ...viewerArgs(viewer), parent, ...toRowWindow(query) });
      const signer = createViewerPathSigner(deps, viewer);
      const list = page.map((row) => presentReply(row, signer));
      return { list, pagination: createPagination(query, found.total) };
    },

    /**
     * Returns one comment with its first replies. Throws commentNotFound, even if the comment was deleted a moment
     * ago.
     */
    async one(viewer: Viewer, id: number): Promise<Comment> {
      const found = await rows.one({ ...viewerArgs(viewer), id });
      const [comment] = await withReplies(viewer, found);
      if (!comment) throw errors.commentNotFound();
      return comment;
    },
  };
}

function viewerArgs(viewer: Viewer | undefined) {
  return { viewer: viewer?.id ?? 0, admin: viewer?.isAdmin ? 1 : 0 };
}

function prepareThreads({ db }: Deps) {
  return prepareRead<TotalRow>(db, (query, arg) =>
    query
      .selectFrom('photos')
      .innerJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
      .select(['photos.user_id', 'photo_counts.comment_threads as total'])
      .select(currentVisibilityColumn)
      .where('photos.id', '=', arg<number>('photo')),
  );
}

function prepareReplyCount({ db }: Deps) {
  return prepareRead<TotalRow>(db, (query, arg) =>
    query
      .selectFrom('comments')
      .innerJoin('photos', 'photos.id', 'comments.photo_id')
      .select(['photos.user_id', 'comments.reply_count as total'])
      .select(currentVisibilityColumn)
      .where('comments.id', '=', arg<number>('parent')),
  );
}

function presentReply(row: VisibleCommentRow, signer: AvatarSigner | undefined): Reply {
  return {
    id: row.id,
    photo_id: row.photo_id,
    parent_id: row.parent_id,
    content: row.content,
    likes: row.likes,
    is_liked: row.liked !== null,
    reply_count: row.reply_count,
    user: presentActor({ ...row, id: row.user_id }, signer),
    create_time: timeText(row.create_time),
  };
}

function presentComment(
  row: VisibleCommentRow,
  replies: VisibleCommentRow[],
  signer: AvatarSigner | undefined,
): Comment {
  return { ...presentReply(row, signer), replies: replies.map((reply) => presentReply(reply, signer)) };
}
