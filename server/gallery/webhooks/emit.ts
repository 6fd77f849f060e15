/**
 * Queues events for the webhooks of a user: changes to the user's photos and account, including the user's own actions.
 */
import type { Deps } from '../../deps.ts';
import type { PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { createPathSigner } from '../delivery/signatures.ts';
import { findSiteAccess } from '../identity/members-only.ts';
import { presentUser } from '../identity/present.ts';
import { levelName, toPublicFlag } from '../library/visibility-rule.ts';
import { createWebhookPayload, type WebhookEventName } from './events.ts';
import { canQueueDelivery, createWebhookEventId, insertDeliveries, type WebhookToNotify } from './outbox.ts';
import { deliveryQueuedEvent } from './signals.ts';

type EventDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secret'>;
type PhotoFacts = Pick<PhotoRow, 'id' | 'title' | 'level'>;

interface CommentFacts {
  id: number;
  parent_id: number | null;
  content: string;
}

export type DomainEvent = { actorId: number } & (
  | { type: Exclude<WebhookEventName, 'comment.created' | 'follow.created'>; photo: PhotoFacts }
  | { type: 'comment.created'; photo: PhotoFacts; comment: CommentFacts }
  | { type: 'follow.created' }
);

/**
 * Queues an event. Callers do this last in their transaction, because webhooks are locked last. For users without
 * webhooks, the cost is one index lookup.
 */
export async function emitWebhookEvent(
  deps: EventDeps,
  transaction: Transaction,
  ownerId: number,
  happening: DomainEvent,
): Promise<void> {
  const listening = await findListeners(transaction, ownerId, happening.type);
  if (listening.length === 0) return;
  const now = deps.clock();
  const payload = createWebhookPayload(
    happening.type,
    now,
    await createEventData(deps, transaction, ownerId, happening),
  );
  await insertDeliveries(transaction, now, listening, {
    eventId: createWebhookEventId(),
    type: happening.type,
    payload,
  });
  deps.db.signal(transaction, deliveryQueuedEvent);
}

async function findListeners(
  transaction: Transaction,
  ownerId: number,
  type: WebhookEventName,
): Promise<WebhookToNotify[]> {
  const webhooks = await transaction
    .selectFrom('webhooks')
    .select(['id', 'user_id', 'events', 'is_active', 'failing_since', 'resume_time'])
    .where('user_id', '=', ownerId)
    .orderBy('id')
    .forKeyShare()
    .execute();
  const listening: WebhookToNotify[] = [];
  for (const webhook of webhooks) {
    const hears = webhook.is_active === 1 && (JSON.parse(webhook.events) as string[]).includes(type);
    if (hears && (await canQueueDelivery(transaction, webhook))) listening.push(webhook);
  }
  return listening;
}

async function createEventData(
  deps: EventDeps,
  transaction: Transaction,
  ownerId: number,
  happening: DomainEvent,
) {
  const row = await transaction
    .selectFrom('users')
    .select(['id', 'username', 'nickname', 'avatar'])
    .where('id', '=', happening.actorId)
    .executeTakeFirstOrThrow();
  const isMembersOnly = (await findSiteAccess(deps.config, transaction)) === 'members';
  const actor = presentUser(row, createPathSigner(deps, `u${ownerId}`, isMembersOnly));
  switch (happening.type) {
    case 'follow.created':
      return { actor };
    case 'comment.created': {
      const { id, parent_id, content } = happening.comment;
      return { photo: presentFacts(happening.photo), comment: { id, parent_id, content }, actor };
    }
    default:
      return { photo: presentFacts(happening.photo), actor };
  }
}

function presentFacts({ id, title, level }: PhotoFacts) {
  const levels = { visibility: levelName(level), is_public: toPublicFlag(level) };
  return { id, title, ...levels, url: `/api/photos/${id}` };
}
