/** Comments on photos, with one level of replies. */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import {
  done,
  doneWith,
  failures,
  messageAnswer,
  ok,
  pageAnswer,
  writeAnswer,
} from '../../platform/http/envelope.ts';
import { idParams } from '../../platform/http/schema.ts';
import { viewerOf } from '../accounts/access.ts';
import { deleteComment } from './delete.ts';
import { createReadComments } from './list.ts';
import * as schema from './schema.ts';
import { insertComment, toggleCommentLike, updateComment } from './store.ts';

const tags = ['Comments'];
const photoParams = idParams('photo');
const params = idParams('comment');
const signedIn = ['unauthenticated', 'badToken'] as const;
const onPhoto = ['invalid', 'photoNotFound', 'photoForbidden'] as const;
const onComment = ['invalid', 'commentNotFound', 'commentForbidden'] as const;

export async function commentRoutes(app: App, deps: Deps): Promise<void> {
  const read = createReadComments(deps);

  app.get(
    '/api/photos/:id/comments',
    {
      config: { auth: 'optional' },
      schema: {
        operationId: 'listComments',
        tags,
        summary: "List a photo's comments",
        description:
          'Newest first, each with its first three replies. Replies do not count for pages and `total`.',
        params: photoParams,
        querystring: schema.CommentsQuery,
        response: { 200: pageAnswer(schema.Comment), ...failures(...onPhoto, 'badToken') },
      },
    },
    async ({ viewer, params, query }) => ok(await read.ofPhoto(viewer, params.id, query)),
  );

  app.post(
    '/api/photos/:id/comments',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'addComment',
        tags,
        summary: 'Add a comment or a reply',
        description: 'Returns the comment as lists show it. There is one level of replies.',
        params: photoParams,
        body: schema.NewComment,
        response: {
          200: writeAnswer(schema.Comment),
          ...failures(...onPhoto, 'commentNotFound', ...signedIn),
        },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const id = await insertComment(deps, viewer, request.params.id, request.body);
      return doneWith('Comment added', await read.one(viewer, id));
    },
  );

  app.get(
    '/api/comments/:id/replies',
    {
      config: { auth: 'optional' },
      schema: {
        operationId: 'listReplies',
        tags,
        summary: "List a comment's replies",
        description: 'Oldest first.',
        params,
        querystring: schema.CommentsQuery,
        response: { 200: pageAnswer(schema.Reply), ...failures(...onComment, 'badToken') },
      },
    },
    async ({ viewer, params, query }) => ok(await read.replies(viewer, params.id, query)),
  );

  app.put(
    '/api/comments/:id',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'updateComment',
        tags,
        summary: 'Update a comment',
        description:
          'Allowed for its author and admins; for the author also when they no longer see the photo.',
        params,
        body: schema.CommentUpdate,
        response: { 200: writeAnswer(schema.Comment), ...failures(...onComment, ...signedIn) },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      await updateComment(deps, viewer, request.params.id, request.body.content);
      return doneWith('Comment saved', await read.one(viewer, request.params.id));
    },
  );

  app.delete(
    '/api/comments/:id',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'deleteComment',
        tags,
        summary: 'Delete a comment and its replies',
        description:
          "Allowed for its author, the photo's owner and admins; for the author also when they no longer see the " +
          'photo.',
        params,
        response: { 200: messageAnswer, ...failures(...onComment, ...signedIn) },
      },
    },
    async (request) => {
      await deleteComment(deps, viewerOf(request), request.params.id);
      return done('Comment deleted');
    },
  );

  app.post(
    '/api/comments/:id/like',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'likeComment',
        tags,
        summary: 'Like or unlike a comment',
        description:
          'Each call toggles it; the answer has the new state. A like can also be removed when the caller no longer ' +
          'sees the photo; the count in the answer is 0 then.',
        params,
        response: { 200: writeAnswer(schema.LikedComment), ...failures(...onComment, ...signedIn) },
      },
    },
    async (request) => {
      const { isLiked, likes } = await toggleCommentLike(deps, viewerOf(request), request.params.id);
      return doneWith(isLiked ? 'Liked' : 'Like taken back', { is_liked: isLiked, likes });
    },
  );
}
