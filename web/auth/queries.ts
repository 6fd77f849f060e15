/** Queries for the signed-in user and for the gallery's settings. */
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { accountWatch } from '../api/account-watch.ts';
import { type ApiError, callApi } from '../api/client.ts';
import type { CurrentUser, PageData, Site } from '../api/types.ts';

export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => callApi<Site>('GET', '/api/site', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * null means that nobody is signed in. The HTML document embeds the user; signing in and out update the
 * cache.
 */
export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: ({ signal }): Promise<CurrentUser | null> =>
    callApi<CurrentUser>('GET', '/api/auth/user', { signal }).catch((error: ApiError) => {
      // The document did not embed the user, and the API answers that nobody is signed in.
      if (error.status !== 401) throw error;
      return null;
    }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const useSite = (): Site | undefined => useQuery(siteQuery).data;
/** Minimum length of a new password. The API reports further rules when it refuses a password. */
export const useMinPasswordLength = (): number => useSite()?.password_min_length ?? 6;
export const useUser = (): CurrentUser | null | undefined => useQuery(userQuery).data;

/** Whether nobody is signed in, in a gallery that only members can see. */
export function useIsMembersOnlyVisitor(): boolean {
  const user = useUser();
  return useSite()?.access === 'members' && user === null;
}

export function hydrateSiteAndUser(client: QueryClient, { site, user }: PageData): void {
  client.setQueryData(siteQuery.queryKey, site);
  client.setQueryData(userQuery.queryKey, user);
  if (user) accountWatch.enter(user.id);
}

/** Identifies the request that marks all notifications as read, for the other tabs (`other-tabs.ts`). */
export const readNotificationsKey = ['notifications', 'read'];

export function changeUnreadCount(client: QueryClient, unread: number): void {
  client.setQueryData(userQuery.queryKey, (user) => user && { ...user, unread });
}

const freshUserMs = 30_000;

/**
 * Reloads the signed-in user if the data is older than `rest`. Returns undefined on failure, without an error
 * message.
 */
export async function refetchUser(client: QueryClient, rest = freshUserMs): Promise<CurrentUser | undefined> {
  const { dataUpdatedAt = 0 } = client.getQueryState(userQuery.queryKey) ?? {};
  if (Date.now() - dataUpdatedAt < rest) return;
  // Several browser events signal one return to the tab; the user is loaded once.
  const user = await client
    .fetchQuery({
      ...userQuery,
      queryFn: () => callApi<CurrentUser>('GET', '/api/auth/user', { urgency: 'ahead' }),
      staleTime: rest,
      retry: false,
    })
    .catch(() => undefined);
  if (!user) return;
  client.setQueryData(userQuery.queryKey, user);
  // The session cookie may belong to another account by now.
  if (accountWatch.enter(user.id)) await accountWatch.check();
  return user;
}

/**
 * Returns whether a query depends on the viewer; the queries for the user and the gallery's settings do not.
 */
export function isQueryForUser({ queryKey: [noun] }: { queryKey: readonly unknown[] }): boolean {
  return noun !== 'user' && noun !== 'site';
}
