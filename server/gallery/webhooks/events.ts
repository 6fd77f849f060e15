/** Schemas of all webhook events, used for payloads, types and the API description. */
import type { Static } from 'typebox';
import { flagAnswer } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { User } from '../identity/user-schema.ts';

const Photo = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String({ examples: ['Moonrise'] }),
    is_public: flagAnswer("0 or 1: the photo's own setting; its album may hide it all the same"),
    url: Type.String({ description: 'Path of the photo in this API', examples: ['/api/photos/7'] }),
  },
  { title: 'WebhookPhoto' },
);

const Comment = Type.Object(
  {
    id: Type.Integer(),
    parent_id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The comment that this one answers, null for none',
    }),
    content: Type.String({ examples: ['What a light!'] }),
  },
  { title: 'WebhookComment' },
);

const actor = Type.Object(User.properties, {
  title: 'User',
  description: 'Who did it; perhaps the owner of the webhook',
});
const aboutPhoto = Type.Object({ photo: Photo, actor }, { title: 'PhotoEvent' });

const events = {
  'photo.created': {
    description: 'A photo of yours was uploaded, or taken out of the trash.',
    data: aboutPhoto,
  },
  'photo.updated': {
    description:
      'Title, description, tags, album or visibility of a photo were set, or its image was edited or reverted. ' +
      'Changes of an album (hidden, deleted, photos added or removed) send no event for its photos.',
    data: aboutPhoto,
  },
  'photo.deleted': {
    description: 'A photo of yours was put into the trash. That it ends there later is not told again.',
    data: aboutPhoto,
  },
  'comment.created': {
    description: 'A user commented on a photo of yours, or answered a comment there.',
    data: Type.Object({ photo: Photo, comment: Comment, actor }, { title: 'CommentEvent' }),
  },
  'like.created': { description: 'A user likes a photo of yours.', data: aboutPhoto },
  'follow.created': {
    description: 'A user follows you.',
    data: Type.Object({ actor }, { title: 'FollowEvent' }),
  },
  'webhook.test': {
    description: 'Sent by `POST /api/webhooks/{id}/test`, whatever the webhook listens to.',
    data: Type.Object({ webhook_id: Type.Integer() }),
  },
} as const;

export type EventType = keyof typeof events;
export type EventData<Type extends EventType> = Static<(typeof events)[Type]['data']>;

/** Names of the events that a webhook can subscribe to. */
export const eventNames = [
  'photo.created',
  'photo.updated',
  'photo.deleted',
  'comment.created',
  'like.created',
  'follow.created',
] as const satisfies EventType[];
export type EventName = (typeof eventNames)[number];

/** Returns the schema of a delivery's body, in the format of Standard Webhooks. */
function payloadSchema(type: EventType) {
  return Type.Object({
    type: Type.Literal(type),
    timestamp: Type.String({
      format: 'date-time',
      description: 'When it happened, ISO 8601, UTC, as Standard Webhooks has it',
      examples: ['2026-03-01T09:30:00.000Z'],
    }),
    data: events[type].data,
  });
}

export const eventSchemas = (Object.keys(events) as EventType[]).map((type) => ({
  type,
  description: events[type].description,
  payload: payloadSchema(type),
}));

/** Returns the body of an event, which every attempt sends unchanged. `seconds` is the Unix time of the event. */
export function createPayload<Type extends EventType>(
  type: Type,
  seconds: number,
  data: EventData<Type>,
): string {
  return JSON.stringify({ type, timestamp: new Date(seconds * 1000).toISOString(), data });
}
