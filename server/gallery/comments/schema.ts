/** Schemas for requests and responses of the comment routes. */

import type { Static } from 'typebox';
import { paginatedQuery } from '../../platform/http/pagination.ts';
import { nullableIdField, timeField, wantedStateField } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { User } from '../identity/user-schema.ts';

const content = Type.Unsafe<string>({
  type: 'string',
  maxLength: 1000,
  format: 'text',
  pattern: '\\S',
  patternMessage: 'Must not be empty',
  description: 'Plain text; spaces around it are removed',
  examples: ['What a light!'],
});

export const NewComment = Type.Object(
  {
    content,
    parent_id: Type.Optional(
      nullableIdField(
        'Id of the comment on the same photo that this one replies to; null or 0 for none. There is ' +
          'one level of replies: a reply to a reply is listed below the same comment.',
      ),
    ),
  },
  { title: 'NewComment' },
);
export type NewComment = Static<typeof NewComment>;

export const CommentUpdate = Type.Object({ content }, { title: 'CommentUpdate' });

export const CommentsQuery = paginatedQuery({});

const counter = Type.Integer({ minimum: 0 });

export const Reply = Type.Object(
  {
    id: Type.Integer(),
    photo_id: Type.Integer(),
    parent_id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Id of the comment that this one replies to; null for none',
      examples: [null],
    }),
    content: Type.String({ examples: ['What a light!'] }),
    likes: counter,
    is_liked: Type.Boolean({ description: 'Whether the caller likes the comment' }),
    reply_count: counter,
    user: User,
    create_time: timeField(),
  },
  { title: 'Reply' },
);
export type Reply = Static<typeof Reply>;

export const Comment = Type.Object(
  {
    ...Reply.properties,
    replies: Type.Array(Reply, { description: 'The first three replies, oldest first' }),
  },
  { title: 'Comment' },
);
export type Comment = Static<typeof Comment>;

export const SetCommentLike = Type.Object({ liked: wantedStateField }, { title: 'SetCommentLike' });
export const CommentLikeResponse = Type.Object(
  { is_liked: Type.Boolean(), likes: counter },
  { title: 'CommentLike' },
);
