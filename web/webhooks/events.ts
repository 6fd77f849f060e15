/** What a webhook can listen to, as one says it. */
import type { NewWebhook } from '../api/types.ts';
import type { MessageKey } from '../messages/messages.ts';

type Name = NewWebhook['events'][number];

const labels: Record<Name, MessageKey> = {
  'photo.created': 'webhookPhotoCreated',
  'photo.updated': 'webhookPhotoUpdated',
  'photo.deleted': 'webhookPhotoDeleted',
  'comment.created': 'webhookCommentCreated',
  'like.created': 'webhookLikeCreated',
  'follow.created': 'webhookFollowCreated',
};

export const events = (Object.keys(labels) as Name[]).map((name) => ({ name, label: labels[name] }));
