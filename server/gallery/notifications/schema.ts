/** Schemas of the requests and responses of the notification routes. */

import type { Static } from 'typebox';
import type { NotificationType } from '../../platform/db/tables.ts';
import type { ValueRule } from '../../platform/http/ajv.ts';
import { paginatedQuery } from '../../platform/http/pagination.ts';
import { choiceField, flagField, idField, nullableField, timeField } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { imagePathField } from '../delivery/schema.ts';
import { User } from '../identity/user-schema.ts';

const notificationTypes: NotificationType[] = ['like', 'favorite', 'comment', 'reply', 'follow'];

export const NotificationsQuery = paginatedQuery({
  unread: Type.Optional(flagField('1: only unread notifications')),
});
export type NotificationsQuery = Static<typeof NotificationsQuery>;

const oneOfBoth: ValueRule = ({ ids, all }: Record<string, unknown>) =>
  (ids === undefined) === (all === undefined) ? { ids: 'Give either ids or all: true' } : undefined;

export const ReadNotificationsRequest = Type.Object(
  {
    ids: Type.Optional(
      nullableField(
        Type.Array(idField('notification'), {
          minItems: 1,
          maxItems: 500,
          description: 'Ids of the notifications; unknown ids are ignored',
        }),
      ),
    ),
    all: Type.Optional(Type.Literal(true, { description: 'Marks all notifications, instead of `ids`' })),
  },
  { title: 'ReadNotifications', rule: oneOfBoth, examples: [{ ids: [4, 7] }, { all: true }] },
);
export type ReadNotificationsRequest = Static<typeof ReadNotificationsRequest>;

const Photo = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String({ examples: ['Moonrise'] }),
    thumb: imagePathField('the thumbnail (400 px)', 'thumb.webp'),
  },
  { title: 'NotificationPhoto' },
);
const Comment = Type.Object(
  { id: Type.Integer(), content: Type.String({ examples: ['What a light!'] }) },
  { title: 'NotificationComment' },
);

export const Notification = Type.Object(
  {
    id: Type.Integer({ description: 'Changes with every further like or favorite of the photo' }),
    type: choiceField(notificationTypes, { title: 'NotificationType' }),
    actor: User,
    photo: Type.Unsafe<Static<typeof Photo> | null>({
      anyOf: [Photo, { type: 'null' }],
      description: 'The liked or commented photo; null if the caller can no longer see it, and for a follow',
    }),
    comment: Type.Unsafe<Static<typeof Comment> | null>({
      anyOf: [Comment, { type: 'null' }],
      description: 'The new comment or reply; null if `photo` is null',
    }),
    count: Type.Integer({
      minimum: 1,
      description: 'Number of likes or favorites of the photo; `actor` is the latest user',
    }),
    is_read: Type.Boolean(),
    create_time: timeField(),
  },
  { title: 'Notification' },
);
export type Notification = Static<typeof Notification>;

export const unreadField = {
  unread: Type.Integer({ minimum: 0, description: 'Number of all unread notifications, on any page' }),
};
