/** Labels of the events that a webhook can receive. */
import type { NewWebhook } from '../api/types.ts';
import type { MessageKey } from '../messages/messages.ts';

type EventName = NewWebhook['events'][number];

const labelByEvent: Record<EventName, MessageKey> = {
  'photo.created': 'webhookPhotoCreated',
  'photo.updated': 'webhookPhotoUpdated',
  'photo.deleted': 'webhookPhotoDeleted',
  'comment.created': 'webhookCommentCreated',
  'like.created': 'webhookLikeCreated',
  'follow.created': 'webhookFollowCreated',
};

export const webhookEvents = (Object.keys(labelByEvent) as EventName[]).map((name) => ({
  name,
  label: labelByEvent[name],
}));
