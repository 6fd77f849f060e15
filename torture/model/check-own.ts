/** Compares responses about the signed-in user with the model. */
import { compare, comparePhotos, type ModelCheck } from './model-check.ts';
import { noticesFor } from './notices.ts';
import type { Name } from './rows.ts';
import { listFeed, listTrash, ownFigures } from './visible-rows.ts';

/** Compares notifications, trash, feed, statistics and links. */
export async function lookAtOwn(look: ModelCheck): Promise<void> {
  const { rows, viewer } = look;
  if (viewer === 'nobody') return;
  await lookAtNotices(look);
  await comparePhotos(look, '/api/trash?limit=100', listTrash(rows, viewer), { isOrdered: false });
  await comparePhotos(look, '/api/feed?limit=100', listFeed(rows, viewer));
  const { stats } = (await look.get('/api/auth/user')).body.data;
  compare(look, 'their own figures', stats, ownFigures(rows, viewer));
  const { list, pagination } = (await look.get('/api/shares?limit=100')).body.data;
  type Listed = { id: number; views: number; has_password: boolean; max_views: number | null };
  const seen = list.map(({ id, views, has_password, max_views }: Listed) => ({
    label: look.labelOf('share', id),
    views,
    has_password,
    max_views,
  }));
  const own = [...rows.shares.values()].filter(({ owner }) => owner === viewer).reverse();
  const expected = own.map(({ label, views, password, maxViews }) => ({
    label,
    views,
    has_password: password !== undefined,
    max_views: maxViews ?? null,
  }));
  compare(look, 'their links', seen, expected);
  compare(look, 'the total of their links', pagination.total, expected.length);
}

interface ListedNotice {
  type: string;
  actor: { username: string };
  photo: { id: number } | null;
  comment: { content: string } | null;
  count: number;
  is_read: boolean;
}

/** Compares notifications in any order, because several may have the same second. */
export async function lookAtNotices(look: ModelCheck): Promise<void> {
  const { rows, viewer } = look;
  if (viewer === 'nobody') return;
  const { body } = await look.get('/api/notifications?limit=100');
  const seen = (body.data?.list ?? []).map((one: ListedNotice) => ({
    type: one.type,
    actor: one.actor.username,
    photo: one.photo && look.labelOf('photo', one.photo.id),
    comment: one.comment?.content ?? null,
    count: one.count,
    is_read: one.is_read,
  }));
  const expected = noticesFor(rows, viewer as Name);
  compare(look, 'what they are told', inOneOrder(seen), inOneOrder(expected));
  compare(look, 'the total of it', body.data?.pagination.total, expected.length);
  compare(look, 'what of it is unread', body.data?.unread, expected.filter((one) => !one.is_read).length);
}

function inOneOrder(notices: object[]): string[] {
  return notices.map((notice) => JSON.stringify(notice)).sort();
}
