/** Hooks that load the user's notifications from the API by page, and mark notifications as read. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi } from '../api/client.ts';
import type { Notification, PagedResponse } from '../api/types.ts';
import { userQuery } from '../auth/queries.ts';
import { describeError } from '../ui/error-notice.tsx';
import { showToast } from '../ui/toast.tsx';

type NotificationPage = PagedResponse<Notification> & { unread: number };
type NotificationPages = InfiniteData<NotificationPage>;

const pageSize = 30;
const freshMs = 15_000;

const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications'],
  queryFn: async ({ pageParam: page, signal, client }) => {
    const query = { page, limit: pageSize };
    const found = await callApi<NotificationPage>('GET', '/api/notifications', { query, signal });
    changeUnreadCount(client, () => found.unread);
    return found;
  },
  initialPageParam: 1,
  getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
  staleTime: freshMs,
});

export function useNotifications() {
  const client = useQueryClient();
  const query = useInfiniteQuery(notificationsQuery);
  // Keep only the first page, so that returning to a long list costs one request.
  useEffect(
    () => () => {
      const updatedAt = client.getQueryState(notificationsQuery.queryKey)?.dataUpdatedAt;
      client.setQueryData(notificationsQuery.queryKey, (data) => data && firstPage(data), { updatedAt });
    },
    [client],
  );
  return { ...query, notifications: listNotifications(query.data) };
}

function firstPage({ pages, pageParams }: NotificationPages) {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) as number[] };
}

/** Lists each notification once: new notifications push older ones to the next page. */
function listNotifications(data: NotificationPages | undefined): Notification[] {
  const all = data?.pages.flatMap(({ list }) => list) ?? [];
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

function changeUnreadCount(client: QueryClient, count: (unread: number) => number): void {
  client.setQueryData(userQuery.queryKey, (user) => user && { ...user, unread: count(user.unread) });
}

/** Marks some or all notifications as read. The display changes at once and reverts on failure. */
export function useMarkNotificationsRead() {
  const client = useQueryClient();
  return useMutation({
    scope: { id: 'notifications' },
    mutationFn: (ids: number[] | 'all') =>
      callApi<unknown>('POST', '/api/notifications/read', { body: ids === 'all' ? { all: true } : { ids } }),
    onMutate: (ids) => {
      const data = client.getQueryData(notificationsQuery.queryKey);
      const isSelected = ({ id, is_read }: Notification) => !is_read && (ids === 'all' || ids.includes(id));
      const changed = new Set(
        listNotifications(data)
          .filter(isSelected)
          .map(({ id }) => id),
      );
      const unread = client.getQueryData(userQuery.queryKey)?.unread ?? 0;
      const count = ids === 'all' ? unread : changed.size;
      showRead(client, changed, true, -count);
      return { changed, count };
    },
    onError: (error, _, shown) => {
      if (shown) showRead(client, shown.changed, false, shown.count);
      showToast({ text: describeError(error), isError: true });
    },
  });
}

function showRead(client: QueryClient, ids: Set<number>, isRead: boolean, step: number): void {
  client.setQueryData(notificationsQuery.queryKey, (data) => data && setRead(data, ids, isRead));
  changeUnreadCount(client, (unread) => Math.max(0, unread + step));
}

function setRead(data: NotificationPages, ids: Set<number>, isRead: boolean): NotificationPages {
  const pages = data.pages.map((page) => ({
    ...page,
    list: page.list.map((one) => (ids.has(one.id) ? { ...one, is_read: isRead } : one)),
  }));
  return { ...data, pages };
}
