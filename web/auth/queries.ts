/** Who is signed in, and what the gallery offers. */
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { accountWatch } from '../api/account.ts';
import { type ApiError, callApi } from '../api/client.ts';
import type { CurrentUser, PageData, Site } from '../api/types.ts';

export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => callApi<Site>('GET', '/api/site', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** null: nobody. The document says who it is; signing in and out change it. */
export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: ({ signal }): Promise<CurrentUser | null> =>
    callApi<CurrentUser>('GET', '/api/auth/user', { signal }).catch((error: ApiError) => {
      // The document could not say who it is, and the gallery says: nobody.
      if (error.status !== 401) throw error;
      return null;
    }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const useSite = (): Site | undefined => useQuery(siteQuery).data;
/** Of a new password. What else is asked of it, the gallery says when it refuses one. */
export const usePasswordLength = (): number => useSite()?.password_min_length ?? 6;
export const useUser = (): CurrentUser | null | undefined => useQuery(userQuery).data;

export function hydrateAccount(client: QueryClient, { site, user }: PageData): void {
  client.setQueryData(siteQuery.queryKey, site);
  client.setQueryData(userQuery.queryKey, user);
  if (user) accountWatch.enter(user.id);
}

const freshUserMs = 30_000;

/** Asks who is signed in once more, where that was a while ago (`rest`); in silence and undefined where it fails. */
export async function refetchUser(client: QueryClient, rest = freshUserMs): Promise<CurrentUser | undefined> {
  const { dataUpdatedAt = 0 } = client.getQueryState(userQuery.queryKey) ?? {};
  if (Date.now() - dataUpdatedAt < rest) return;
  // Once, however many events tell of the return.
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
  // The cookie is somebody else's by now.
  if (accountWatch.enter(user.id)) await accountWatch.check();
  return user;
}

/** Of answers that depend on who asks: all but who that is, and what the gallery offers. */
export function dependsOnUser({ queryKey: [noun] }: { queryKey: readonly unknown[] }): boolean {
  return noun !== 'user' && noun !== 'site';
}
