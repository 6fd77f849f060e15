/** Calls for signing in again after the session has expired, and for staying signed out. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountWatch } from '../api/account-watch.ts';
import { rateLimiter } from '../api/rate-limiter.ts';
import { sessionRenewal } from '../api/session-renewal.ts';
import type { User } from '../api/types.ts';
import { isQueryForUser, userQuery } from '../auth/queries.ts';
import { type Credentials, postSignIn, signInByPasskey } from '../auth/sign-in/queries.ts';

export interface SignInResult {
  user: Pick<User, 'id'>;
}

function useRenewSession<Given>(enter: (given: Given) => Promise<SignInResult>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: enter,
    onSuccess: ({ user }) => {
      rateLimiter.reset();
      sessionRenewal.announceSignIn(user.id);
      // Another account signed in, so the page must reload.
      if (accountWatch.enter(user.id)) void accountWatch.check();
      // A new password may have ended the session, so the user's data is reloaded.
      else void client.invalidateQueries(userQuery);
    },
  });
}

export const useSignInAgain = () => useRenewSession<Credentials>(postSignIn('/api/auth/login'));
export const useSecondSignInStepAgain = () =>
  useRenewSession<{ challenge: string; code: string }>(postSignIn('/api/auth/login/second'));
export const usePasskeyAgain = () => useRenewSession<void>(signInByPasskey);

/** Turns the page into a visitor's page: private data is removed from the cache or reloaded. */
export function useStaySignedOut(): () => void {
  const client = useQueryClient();
  return () => {
    client.setQueryData(userQuery.queryKey, null);
    client.removeQueries({ type: 'inactive', predicate: isQueryForUser });
    void client.invalidateQueries({ predicate: isQueryForUser });
  };
}
