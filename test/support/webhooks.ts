/** Helpers for tests of webhooks. */
import assert from 'node:assert/strict';
import { deliveryLeaseSeconds } from '../../server/gallery/webhooks/lease-deliveries.ts';
import { deliveryQueuedEvent } from '../../server/gallery/webhooks/signals.ts';
import { assertRead, assertWritten } from './assert-answers.ts';
import { eventually } from './gallery-counts.ts';
import type { Gallery } from './harness.ts';
import type { Person } from './people.ts';

const timeoutMs = 60_000;
const allEvents = [
  'photo.created',
  'photo.updated',
  'photo.deleted',
  'comment.created',
  'like.created',
  'follow.created',
];

export interface CreatedWebhook {
  id: number;
  secret: string;
  url: string;
}

export async function addWebhook(
  owner: Person,
  url: string,
  { events = allEvents, ...rest }: { events?: string[]; is_active?: number } = {},
): Promise<CreatedWebhook> {
  return assertWritten(await owner.post('/api/webhooks', { url, events, ...rest }));
}

// biome-ignore lint/suspicious/noExplicitAny: an answer
export async function readDeliveries(owner: Person, { id }: { id: number }): Promise<any[]> {
  return assertRead(await owner.get(`/api/webhooks/${id}/deliveries?limit=100`)).list;
}

/** Waits until the newest delivery passes the check. */
export async function awaitLatest(
  owner: Person,
  webhook: { id: number },
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  check: (delivery: any) => void,
) {
  let delivery: Awaited<ReturnType<typeof readDeliveries>>[number];
  await eventually(async () => {
    [delivery] = await readDeliveries(owner, webhook);
    assert.ok(delivery, 'there is none yet');
    check(delivery);
  }, timeoutMs);
  return delivery;
}

/** Moves the clock, and wakes the webhook dispatcher. */
export function skipTime(gallery: Gallery, seconds: number): void {
  gallery.travel(seconds);
  gallery.deps.db.events.emit(deliveryQueuedEvent);
}

/** Waits until no delivery is due or running, so that no further delivery can arrive. */
export async function settleWebhooks(gallery: Gallery): Promise<void> {
  const { db, clock } = gallery.deps;
  await eventually(async () => {
    const rows = await db.kysely
      .selectFrom('webhook_deliveries')
      .select(['due_time', 'last_attempt_time'])
      .where('due_time', 'is not', null)
      .execute();
    const isBusy = (row: (typeof rows)[number]) =>
      row.due_time! <= clock() || row.due_time === (row.last_attempt_time ?? 0) + deliveryLeaseSeconds;
    assert.deepEqual(rows.filter(isBusy), []);
  }, timeoutMs);
}
