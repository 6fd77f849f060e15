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
        summary: 'List the comments on a photo',
        description: 'Newest first, each with its first three replies. Pages and `total` count no replies.',
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
        summary: 'Comment on a photo, or answer a comment',
        description: 'Answers with the comment as lists show it. There is one level of replies.',
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
        summary: 'List the replies to a comment',
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
        summary: 'Change a comment',
        description: 'Its author and admins may; the author also on a photo that they see no longer.',
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
          "Its author, the photo's owner and admins may; the author also on a photo that they see no longer.",
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
        summary: 'Like a comment, or take the like back',
        description:
          'Each call turns it round; the answer says how it stands now. It can also be taken back below a photo that the caller sees no longer; the count is then not told, and 0 ' +
          'stands for it.',
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
