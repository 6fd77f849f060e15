/**
 * Queues events for the webhooks of a user: changes to the user's photos and account, including the user's own actions.
 */
import type { Deps } from '../../deps.ts';
import type { PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { createSigner } from '../delivery/signatures.ts';
import { findSiteAccess } from '../identity/members-only.ts';
import { presentUser } from '../identity/present.ts';
import { createPayload, type EventName } from './events.ts';
import { type Addressee, hasRoom, insertDeliveries, newEventId } from './outbox.ts';
import { deliveryWritten } from './signals.ts';

type EventDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secret'>;
type PhotoFacts = Pick<PhotoRow, 'id' | 'title' | 'is_public'>;

interface CommentFacts {
  id: number;
  parent_id: number | null;
  content: string;
}

export type DomainEvent = { actorId: number } & (
  | { type: Exclude<EventName, 'comment.created' | 'follow.created'>; photo: PhotoFacts }
  | { type: 'comment.created'; photo: PhotoFacts; comment: CommentFacts }
  | { type: 'follow.created' }
);

/**
 * Queues an event. Callers do this last in their transaction, because webhooks are locked last. For users without
 * webhooks, the cost is one index lookup.
 */
export async function emitEvent(
  deps: EventDeps,
  transaction: Transaction,
  ownerId: number,
  happening: DomainEvent,
): Promise<void> {
  const listening = await findListeners(transaction, ownerId, happening.type);
  if (listening.length === 0) return;
  const now = deps.clock();
  const payload = createPayload(
    happening.type,
    now,
    await createEventData(deps, transaction, ownerId, happening),
  );
  await insertDeliveries(transaction, now, listening, {
    eventId: newEventId(),
    type: happening.type,
    payload,
  });
  deps.db.signal(transaction, deliveryWritten);
}

async function findListeners(
  transaction: Transaction,
  ownerId: number,
  type: EventName,
): Promise<Addressee[]> {
  const webhooks = await transaction
    .selectFrom('webhooks')
    .select(['id', 'user_id', 'events', 'is_active', 'failing_since', 'resume_time'])
    .where('user_id', '=', ownerId)
    .orderBy('id')
    .forKeyShare()
    .execute();
  const listening: Addressee[] = [];
  for (const webhook of webhooks) {
    const hears = webhook.is_active === 1 && (JSON.parse(webhook.events) as string[]).includes(type);
    if (hears && (await hasRoom(transaction, webhook))) listening.push(webhook);
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
  const actor = presentUser(row, createSigner(deps, `u${ownerId}`, isMembersOnly));
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

function presentFacts({ id, title, is_public }: PhotoFacts) {
  return { id, title, is_public, url: `/api/photos/${id}` };
}
