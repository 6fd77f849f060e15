/** Hook that loads the user's notifications from the API by page, and marks them as read once they are shown. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callApi } from '../api/client.ts';
import type { Notification, PagedResponse } from '../api/types.ts';
import { changeUnreadCount, readNotificationsKey, useUser } from '../auth/queries.ts';

type NotificationPage = PagedResponse<Notification> & { unread: number };
type NotificationPages = InfiniteData<NotificationPage>;

const pageSize = 30;
const freshMs = 15_000;

const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications'],
  queryFn: async ({ pageParam: page, signal, client }) => {
    const query = { page, limit: pageSize };
    const found = await callApi<NotificationPage>('GET', '/api/notifications', { query, signal });
    changeUnreadCount(client, found.unread);
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
  const notifications = listNotifications(query.data);
  return { ...query, notifications, newIds: useReadOnceShown(query, notifications) };
}

type NotificationsQuery = UseInfiniteQueryResult<NotificationPages>;

/**
 * Marks all notifications as read once an up-to-date list is shown. Returns the ids of those that were unread, because
 * the list shows them as new until it closes.
 */
function useReadOnceShown({ data, isFetching, refetch }: NotificationsQuery, shown: Notification[]) {
  const client = useQueryClient();
  const [newIds] = useState(() => new Set<number>());
  for (const { id, is_read } of shown) if (!is_read) newIds.add(id);
  const { mutate: markRead } = useMutation({
    mutationKey: readNotificationsKey,
    mutationFn: () => callApi<unknown>('POST', '/api/notifications/read', { body: { all: true } }),
    onSuccess: () => {
      client.setQueryData(notificationsQuery.queryKey, (known) => known && setRead(known));
      changeUnreadCount(client, 0);
    },
  });
  const listed = data?.pages.at(-1)?.unread ?? 0;
  const isUnreadShown = listed > 0 && !isFetching;
  useEffect(() => {
    if (isUnreadShown) markRead();
  }, [isUnreadShown, markRead]);
  const unread = useUser()?.unread ?? 0;
  const isOutdated = data !== undefined && unread > listed;
  useEffect(() => {
    if (isOutdated) void refetch();
  }, [isOutdated, refetch]);
  return newIds;
}

function firstPage({ pages, pageParams }: NotificationPages) {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) as number[] };
}

/** Lists each notification once: new notifications push older ones to the next page. */
function listNotifications(data: NotificationPages | undefined): Notification[] {
  const all = data?.pages.flatMap(({ list }) => list) ?? [];
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

function setRead(data: NotificationPages): NotificationPages {
  const pages = data.pages.map((page) => ({
    ...page,
    unread: 0,
    list: page.list.map((one) => ({ ...one, is_read: true })),
  }));
  return { ...data, pages };
}
