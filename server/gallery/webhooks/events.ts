/** Schemas of all webhook events, used for payloads, types and the API description. */
import type { Static } from 'typebox';
import { Type } from '../../platform/schema/type.ts';
import { User } from '../identity/user-schema.ts';
import { levelResponseFields } from '../library/level-fields.ts';

const Photo = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String({ examples: ['Moonrise'] }),
    visibility: levelResponseFields.visibility,
    is_public: levelResponseFields.is_public,
    url: Type.String({ description: 'Path of the photo in this API', examples: ['/api/photos/7'] }),
  },
  { title: 'WebhookPhoto' },
);

const Comment = Type.Object(
  {
    id: Type.Integer(),
    parent_id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Id of the comment that this one replies to; null for none',
    }),
    content: Type.String({ examples: ['What a light!'] }),
  },
  { title: 'WebhookComment' },
);

const actor = Type.Object(User.properties, {
  title: 'User',
  description: 'User who caused the event, possibly the owner of the webhook',
});
const aboutPhoto = Type.Object({ photo: Photo, actor }, { title: 'PhotoEvent' });

const events = {
  'photo.created': {
    description: 'One of your photos was uploaded, or restored from the trash.',
    data: aboutPhoto,
  },
  'photo.updated': {
    description:
      'The title, description, tags, album or visibility of one of your photos changed, or its ' +
      'image was edited or reverted. Changes of an album (hidden, deleted, photos added or removed) ' +
      'send no events for its photos.',
    data: aboutPhoto,
  },
  'photo.deleted': {
    description: 'One of your photos was moved to the trash. Its permanent deletion sends no further event.',
    data: aboutPhoto,
  },
  'comment.created': {
    description: 'A user commented on one of your photos, or replied to a comment there.',
    data: Type.Object({ photo: Photo, comment: Comment, actor }, { title: 'CommentEvent' }),
  },
  'like.created': { description: 'A user liked one of your photos.', data: aboutPhoto },
  'follow.created': {
    description: 'A user followed you.',
    data: Type.Object({ actor }, { title: 'FollowEvent' }),
  },
  'webhook.test': {
    description: 'Sent by `POST /api/webhooks/{id}/test`, for any events that the webhook is set to.',
    data: Type.Object({ webhook_id: Type.Integer() }),
  },
} as const;

export type WebhookEventType = keyof typeof events;
export type WebhookEventData<Type extends WebhookEventType> = Static<(typeof events)[Type]['data']>;

/** Names of the events that a webhook can subscribe to. */
export const webhookEventNames = [
  'photo.created',
  'photo.updated',
  'photo.deleted',
  'comment.created',
  'like.created',
  'follow.created',
] as const satisfies WebhookEventType[];
export type WebhookEventName = (typeof webhookEventNames)[number];

/** Returns the schema of a delivery's body, in the format of Standard Webhooks. */
function payloadSchema(type: WebhookEventType) {
  return Type.Object({
    type: Type.Literal(type),
    timestamp: Type.String({
      format: 'date-time',
      description: 'Time of the event: ISO 8601, UTC, as Standard Webhooks defines',
      examples: ['2026-03-01T09:30:00.000Z'],
    }),
    data: events[type].data,
  });
}

export const webhookEventSchemas = (Object.keys(events) as WebhookEventType[]).map((type) => ({
  type,
  description: events[type].description,
  payload: payloadSchema(type),
}));

/** Returns the body of an event, which every attempt sends unchanged. `seconds` is the Unix time of the event. */
export function createWebhookPayload<Type extends WebhookEventType>(
  type: Type,
  seconds: number,
  data: WebhookEventData<Type>,
): string {
  return JSON.stringify({ type, timestamp: new Date(seconds * 1000).toISOString(), data });
}
