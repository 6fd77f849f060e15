/** Who is signed in, and what the gallery offers. */
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { account } from '../api/account.ts';
import { ApiError, call } from '../api/client.ts';
import { session } from '../api/session.ts';
import type { CurrentUser, PageData, Site, User } from '../api/types.ts';
import { confirmWithPasskey } from './passkeys.ts';

export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => call<Site>('GET', '/api/site', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** null: nobody. The document says who it is; signing in and out change it. */
export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: ({ signal }): Promise<CurrentUser | null> =>
    call<CurrentUser>('GET', '/api/auth/user', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const useSite = (): Site | undefined => useQuery(siteQuery).data;
/** Of a new password. What else is asked of it, the gallery says when it refuses one. */
export const usePasswordLength = (): number => useSite()?.password_min_length ?? 6;
export const useUser = (): CurrentUser | null | undefined => useQuery(userQuery).data;

export function keepDocument(client: QueryClient, { site, user }: PageData): void {
  client.setQueryData(siteQuery.queryKey, site);
  client.setQueryData(userQuery.queryKey, user);
  if (user) account.enter(user.id);
}

const restMs = 30_000;

/** Asks who is signed in once more, where that was a while ago; in silence where it fails. */
export async function renewUser(client: QueryClient): Promise<void> {
  const { dataUpdatedAt = 0 } = client.getQueryState(userQuery.queryKey) ?? {};
  if (Date.now() - dataUpdatedAt < restMs) return;
  // Once, however many events tell of the return.
  const user = await client
    .fetchQuery({
      ...userQuery,
      queryFn: () => call<CurrentUser>('GET', '/api/auth/user', { urgency: 'ahead' }),
      staleTime: restMs,
      retry: false,
    })
    .catch(() => undefined);
  if (!user) return;
  client.setQueryData(userQuery.queryKey, user);
  // The cookie is somebody else's by now.
  if (account.enter(user.id)) await account.check();
}

export interface Credentials {
  username: string;
  password: string;
}

export interface Registration extends Credentials {
  email: string;
  /** The code of the one-time link of a gallery without an admin. */
  setup?: string;
  /** What stands at the end of an invite's link. */
  invite?: string;
}

/** Of answers that depend on who asks: all but who that is, and what the gallery offers. */
export function isOfPerson({ queryKey: [noun] }: { queryKey: readonly unknown[] }): boolean {
  return noun !== 'user' && noun !== 'site';
}

/** What was loaded was for another viewer: all of it is forgotten. */
function useEntrance<Given>(enter: (given: Given) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: enter,
    onSuccess: async () => {
      const user = await call<CurrentUser>('GET', '/api/auth/user', { urgency: 'act' });
      if (account.enter(user.id)) return;
      client.removeQueries({ predicate: isOfPerson });
      // Not forgotten but changed, so that what shows them hears of it.
      client.setQueryData(userQuery.queryKey, user);
      session.tellSignIn(user.id);
      await client.invalidateQueries(siteQuery);
    },
  });
}

export const enterBy =
  (path: string) =>
  (given: object): Promise<{ user: User }> =>
    call('POST', path, { body: { ...given, cookie: true } });

export async function enterByPasskey(): Promise<{ user: User }> {
  const path = '/api/auth/login/passkey';
  const options = await call<PublicKeyCredentialRequestOptionsJSON>('POST', `${path}/options`);
  return enterBy(path)({ response: await confirmWithPasskey(options) });
}

export const useSignIn = () => useEntrance<Credentials>(enterBy('/api/auth/login'));
export const useSecondStep = () =>
  useEntrance<{ challenge: string; code: string }>(enterBy('/api/auth/login/second'));
export const useRegister = () => useEntrance<Registration>(enterBy('/api/auth/register'));
export const usePasskeySignIn = () => useEntrance<void>(enterByPasskey);

/** The code makes who is signed in the admin. */
export function useBecomeAdmin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (setup: string) => call<unknown>('POST', '/api/auth/setup', { body: { setup } }),
    onSuccess: () => client.refetchQueries(userQuery),
  });
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => call<unknown>('POST', '/api/auth/logout'),
    // Nothing of the person who left stays in the tab's memory.
    onSuccess: () => {
      account.leave();
      forgetTab();
      location.assign('/');
    },
  });
}

/** What was being written, and where one was. */
function forgetTab(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Where the browser keeps nothing, there is nothing to forget.
  }
}

export const useForgot = () =>
  useMutation({
    mutationFn: (email: string) => call<unknown>('POST', '/api/auth/forgot', { body: { email } }),
  });

export interface NewPassword {
  token: string;
  password: string;
  end_keys: boolean;
}

export const useReset = () =>
  useMutation({
    mutationFn: (given: NewPassword) => call<unknown>('POST', '/api/auth/reset', { body: given }),
  });

/** Answers the address. */
export function useConfirmEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) =>
      call<{ email: string }>('POST', '/api/auth/email/confirm', { body: { token } }),
    onSuccess: () => client.getQueryData(userQuery.queryKey) && client.invalidateQueries(userQuery),
  });
}

/** The account has a second factor. */
const secondFactor = 10008;

/** What the second step of signing in needs; undefined where it was another error. */
export function challengeOf(error: Error | null): string | undefined {
  if (!(error instanceof ApiError) || error.code !== secondFactor) return undefined;
  return (error.data as { challenge: string }).challenge;
}
