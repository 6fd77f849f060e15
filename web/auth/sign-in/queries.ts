/**
 * Signing in, signing out and registration. The query for the signed-in user is elsewhere, because every page
 * needs it.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountWatch } from '../../api/account-watch.ts';
import { ApiError, callApi } from '../../api/client.ts';
import { rateLimiter } from '../../api/rate-limiter.ts';
import { sessionRenewal } from '../../api/session-renewal.ts';
import type { CurrentUser, Site, User } from '../../api/types.ts';
import { deleteSharedFiles } from '../../shared-files.ts';
import { confirmWithPasskey } from '../passkeys.ts';
import { isQueryForUser, siteQuery, userQuery } from '../queries.ts';

export interface Credentials {
  username: string;
  password: string;
}

export interface RegistrationInput extends Credentials {
  email: string;
  /** Code of the one-time setup link of a gallery without an admin. */
  setup?: string;
  /** Answer of the first admin to who can see the gallery. */
  access?: Site['access'];
  /** Code at the end of an invite link. */
  invite?: string;
}

/** Signs in and clears the cache, because cached data was loaded for another viewer. */
function useSignInMutation<Given>(enter: (given: Given) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: enter,
    onSuccess: async () => {
      rateLimiter.reset();
      const user = await callApi<CurrentUser>('GET', '/api/auth/user', { urgency: 'act' });
      if (accountWatch.enter(user.id)) return;
      client.removeQueries({ predicate: isQueryForUser });
      // The user's query is updated instead of removed, so that components which show the user render again.
      client.setQueryData(userQuery.queryKey, user);
      sessionRenewal.announceSignIn(user.id);
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
export const useSecondSignInStep = () =>
  useSignInMutation<{ challenge: string; code: string }>(postSignIn('/api/auth/login/second'));
export const useRegister = () => useSignInMutation<RegistrationInput>(postSignIn('/api/auth/register'));
export const usePasskeySignIn = () => useSignInMutation<void>(signInByPasskey);

/** Proof that the visitor followed a setup link or an invite link. */
export type RegistrationLink = Pick<RegistrationInput, 'setup' | 'access' | 'invite'>;

/** Sends the visitor to the OpenID provider; a visitor without an account gets one on return. */
export const useJoinByProvider = () =>
  useMutation({
    mutationFn: (given: RegistrationLink & { to?: string }) =>
      callApi<{ url: string }>('POST', '/api/auth/oidc', { body: given }),
    onSuccess: ({ url }) => location.assign(url),
  });

/** Makes the signed-in user the admin by the setup code. */
export function useBecomeAdmin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Pick<RegistrationInput, 'setup' | 'access'>) =>
      callApi<unknown>('POST', '/api/auth/setup', { body }),
    onSuccess: () => Promise.all([client.refetchQueries(userQuery), client.refetchQueries(siteQuery)]),
  });
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => callApi<unknown>('POST', '/api/auth/logout'),
    // No data of the signed-out user stays in the tab's memory.
    onSuccess: () => {
      accountWatch.leave();
      clearTabState();
      deleteSharedFiles();
      location.assign('/');
    },
  });
}

/** Removes drafts and scroll positions from the tab's storage, and the choice of an unfinished import. */
function clearTabState(): void {
  try {
    sessionStorage.clear();
    localStorage.removeItem('lightwell-import');
  } catch {
    // Without storage there is no saved state to remove.
  }
}

export const useRequestPasswordReset = () =>
  useMutation({
    mutationFn: (email: string) => callApi<unknown>('POST', '/api/auth/forgot', { body: { email } }),
  });

export interface PasswordResetInput {
  token: string;
  password: string;
  end_keys: boolean;
}

export const useResetPassword = () =>
  useMutation({
    mutationFn: (given: PasswordResetInput) => callApi<unknown>('POST', '/api/auth/reset', { body: given }),
  });

/** Confirms an email address by the code of its link. Resolves with the address. */
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

/** API code for an account with a second factor. */
const secondFactorCode = 10008;

/** Returns the challenge for the second sign-in step, or undefined if the error is another one. */
export function readSecondStepChallenge(error: Error | null): string | undefined {
  if (!(error instanceof ApiError) || error.code !== secondFactorCode) return undefined;
  return (error.data as { challenge: string }).challenge;
}
