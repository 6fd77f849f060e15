/** Ways in and out: apart from who is signed in, which every page begins with. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { account } from '../../api/account.ts';
import { ApiError, call } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import type { CurrentUser, User } from '../../api/types.ts';
import { confirmWithPasskey } from '../passkeys.ts';
import { isOfPerson, siteQuery, userQuery } from '../queries.ts';

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

/** What the link proves that one came by. */
export type JoinLink = Pick<Registration, 'setup' | 'invite'>;

/** To the gallery's provider, and back from there: who has no account yet has one then. */
export const useJoinElsewhere = () =>
  useMutation({
    mutationFn: (given: JoinLink & { to?: string }) =>
      call<{ url: string }>('POST', '/api/auth/oidc', { body: given }),
    onSuccess: ({ url }) => location.assign(url),
  });

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
      call<{ email: string; email_confirmed: boolean }>('POST', '/api/auth/email/confirm', {
        body: { token },
      }),
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
