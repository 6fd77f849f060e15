/** Ways in and out: apart from who is signed in, which every page begins with. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountWatch } from '../../api/account.ts';
import { ApiError, callApi } from '../../api/client.ts';
import { sessionRenewal } from '../../api/session.ts';
import type { CurrentUser, User } from '../../api/types.ts';
import { confirmWithPasskey } from '../passkeys.ts';
import { dependsOnUser, siteQuery, userQuery } from '../queries.ts';

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
function useSignInMutation<Given>(enter: (given: Given) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: enter,
    onSuccess: async () => {
      const user = await callApi<CurrentUser>('GET', '/api/auth/user', { urgency: 'act' });
      if (accountWatch.enter(user.id)) return;
      client.removeQueries({ predicate: dependsOnUser });
      // Not forgotten but changed, so that what shows them hears of it.
      client.setQueryData(userQuery.queryKey, user);
      sessionRenewal.tellSignIn(user.id);
      await client.invalidateQueries(siteQuery);
    },
  });
}

export const postSignIn =
  (path: string) =>
  (given: object): Promise<{ user: User }> =>
    callApi('POST', path, { body: { ...given, cookie: true } });

export async function signInByPasskey(): Promise<{ user: User }> {
  const path = '/api/auth/login/passkey';
  const options = await callApi<PublicKeyCredentialRequestOptionsJSON>('POST', `${path}/options`);
  return postSignIn(path)({ response: await confirmWithPasskey(options) });
}

export const useSignIn = () => useSignInMutation<Credentials>(postSignIn('/api/auth/login'));
export const useSecondStep = () =>
  useSignInMutation<{ challenge: string; code: string }>(postSignIn('/api/auth/login/second'));
export const useRegister = () => useSignInMutation<Registration>(postSignIn('/api/auth/register'));
export const usePasskeySignIn = () => useSignInMutation<void>(signInByPasskey);

/** What the link proves that one came by. */
export type JoinLink = Pick<Registration, 'setup' | 'invite'>;

/** To the gallery's provider, and back from there: who has no account yet has one then. */
export const useJoinByProvider = () =>
  useMutation({
    mutationFn: (given: JoinLink & { to?: string }) =>
      callApi<{ url: string }>('POST', '/api/auth/oidc', { body: given }),
    onSuccess: ({ url }) => location.assign(url),
  });

/** The code makes who is signed in the admin. */
export function useBecomeAdmin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (setup: string) => callApi<unknown>('POST', '/api/auth/setup', { body: { setup } }),
    onSuccess: () => client.refetchQueries(userQuery),
  });
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => callApi<unknown>('POST', '/api/auth/logout'),
    // Nothing of the person who left stays in the tab's memory.
    onSuccess: () => {
      accountWatch.leave();
      clearTabState();
      location.assign('/');
    },
  });
}

/** What was being written, and where one was. */
function clearTabState(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Where the browser keeps nothing, there is nothing to forget.
  }
}

export const useRequestPasswordReset = () =>
  useMutation({
    mutationFn: (email: string) => callApi<unknown>('POST', '/api/auth/forgot', { body: { email } }),
  });

export interface NewPassword {
  token: string;
  password: string;
  end_keys: boolean;
}

export const useResetPassword = () =>
  useMutation({
    mutationFn: (given: NewPassword) => callApi<unknown>('POST', '/api/auth/reset', { body: given }),
  });

/** Answers the address. */
export function useConfirmEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) =>
      callApi<{ email: string; email_confirmed: boolean }>('POST', '/api/auth/email/confirm', {
        body: { token },
      }),
    onSuccess: () => client.getQueryData(userQuery.queryKey) && client.invalidateQueries(userQuery),
  });
}

/** The account has a second factor. */
const secondFactorCode = 10008;

/** What the second step of signing in needs; undefined where it was another error. */
export function readChallenge(error: Error | null): string | undefined {
  if (!(error instanceof ApiError) || error.code !== secondFactorCode) return undefined;
  return (error.data as { challenge: string }).challenge;
}
