/** Reads a person's notifications, and checks the stored totals. */
import assert from 'node:assert/strict';
import { assertRead } from './assert-answers.ts';
import type { Gallery } from './harness.ts';
import type { Person } from './people.ts';

export interface Notification {
  id: number;
  type: string;
  actor: { id: number };
  photo: { id: number; title: string; thumb: string } | null;
  comment: { id: number; content: string } | null;
  count: number;
  is_read: boolean;
  create_time: string;
}

/** Returns the notifications that the API shows. Asserts that the totals equal the counted rows. */
export async function readNotifications(gallery: Gallery, who: Person): Promise<Notification[]> {
  const { list, pagination, unread } = assertRead(await who.get('/api/notifications?limit=100'));
  const rows = await gallery.deps.db.kysely
    .selectFrom('notifications')
    .select('is_read')
    .where('user_id', '=', who.id)
    .execute();
  assert.deepEqual(
    [pagination.total, unread, list.length],
    [rows.length, rows.filter(({ is_read }) => is_read === 0).length, rows.length],
  );
  return list;
}
