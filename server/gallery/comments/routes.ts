/** Defines the routes of comments on photos. Comments have one level of replies. */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { listPageSchema, messageResponse, resultResponse } from '../../platform/http/envelope.ts';
import { idParams } from '../../platform/http/schema.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { deleteComment } from './delete.ts';
import { createReadComments } from './list.ts';
import * as schema from './schema.ts';
import { changeCommentLike, insertComment, updateComment } from './store.ts';

const photoParams = idParams('photo');
const params = idParams('comment');

export async function commentRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Comments');
  const read = createReadComments(deps);

  api.get('/api/photos/:id/comments', {
    auth: 'optional',
    operationId: 'listComments',
    summary: "List a photo's comments",
    description:
      'Newest first, each with its first three replies. Replies do not count for pages and `total`.',
    params: photoParams,
    querystring: schema.CommentsQuery,
    answer: listPageSchema(schema.Comment),
    refusals: ['photoNotFound', 'photoForbidden'],
    handler: ({ viewer, params, query }) => read.ofPhoto(viewer, params.id, query),
  });

  api.post('/api/photos/:id/comments', {
    auth: 'required',
    operationId: 'addComment',
    summary: 'Add a comment or a reply',
    description: 'Returns the comment in the same form as lists do. There is one level of replies.',
    params: photoParams,
    body: schema.NewComment,
    answer: schema.Comment,
    refusals: ['photoNotFound', 'photoForbidden', 'commentNotFound'],
    handler: async (request) => {
      const { viewer } = request;
      const id = await insertComment(deps, viewer, request.params.id, request.body);
      return resultResponse('Comment added', await read.one(viewer, id));
    },
  });

  api.get('/api/comments/:id/replies', {
    auth: 'optional',
    operationId: 'listReplies',
    summary: "List a comment's replies",
    description: 'Oldest first.',
    params,
    querystring: schema.CommentsQuery,
    answer: listPageSchema(schema.Reply),
    refusals: ['commentNotFound', 'commentForbidden'],
    handler: ({ viewer, params, query }) => read.replies(viewer, params.id, query),
  });

  api.put('/api/comments/:id', {
    auth: 'required',
    operationId: 'updateComment',
    summary: 'Update a comment',
    description:
      'For the author and admins. The author can update the comment even after losing access to the ' +
      'photo.',
    params,
    body: schema.CommentUpdate,
    answer: schema.Comment,
    refusals: ['commentNotFound', 'commentForbidden'],
    handler: async (request) => {
      const { viewer } = request;
      await updateComment(deps, viewer, request.params.id, request.body.content);
      return resultResponse('Comment saved', await read.one(viewer, request.params.id));
    },
  });

  api.delete('/api/comments/:id', {
    auth: 'required',
    operationId: 'deleteComment',
    summary: 'Delete a comment and its replies',
    description:
      "For the author, the photo's owner and admins. The author can delete the comment even after " +
      'losing access to the photo.',
    params,
    refusals: ['commentNotFound', 'commentForbidden'],
    handler: async (request) => {
      await deleteComment(deps, request.viewer, request.params.id);
      return messageResponse('Comment deleted');
    },
  });

  api.post('/api/comments/:id/like', {
    auth: 'required',
    operationId: 'likeComment',
    summary: 'Like or unlike a comment',
    description:
      'Each call toggles the like, unless `liked` gives the new state. The response has the new ' +
      'state. A caller who can no longer see the photo can still remove a like; the count in the ' +
      'response is then 0.',
    config: { hasOptionalBody: true },
    params,
    body: schema.SetCommentLike,
    answer: schema.CommentLikeResponse,
    refusals: ['commentNotFound', 'commentForbidden'],
    handler: async (request) => {
      const { viewer, params, body } = request;
      const { isLiked, likes } = await changeCommentLike(deps, viewer, params.id, body.liked);
      return resultResponse(isLiked ? 'Liked' : 'Like removed', { is_liked: isLiked, likes });
    },
  });
}
