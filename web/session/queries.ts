/** Signing in again, and giving it up. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountWatch } from '../api/account-watch.ts';
import { sessionRenewal } from '../api/session-renewal.ts';
import type { User } from '../api/types.ts';
import { dependsOnUser, userQuery } from '../auth/queries.ts';
import { type Credentials, postSignIn, signInByPasskey } from '../auth/sign-in/queries.ts';

export interface SignInResult {
  user: Pick<User, 'id'>;
}

function useRenewSession<Given>(enter: (given: Given) => Promise<SignInResult>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: enter,
    onSuccess: ({ user }) => {
      sessionRenewal.tellSignIn(user.id);
      // The page of another is loaded anew.
      if (accountWatch.enter(user.id)) void accountWatch.check();
      // A new password, perhaps the first, ended the session.
      else void client.invalidateQueries(userQuery);
    },
  });
}

export const useSignInAgain = () => useRenewSession<Credentials>(postSignIn('/api/auth/login'));
export const useSecondStepAgain = () =>
  useRenewSession<{ challenge: string; code: string }>(postSignIn('/api/auth/login/second'));
export const usePasskeyAgain = () => useRenewSession<void>(signInByPasskey);

/** The page is nobody's: what only the person saw is asked for anew, or forgotten. */
export function useStaySignedOut(): () => void {
  const client = useQueryClient();
  return () => {
    client.setQueryData(userQuery.queryKey, null);
    client.removeQueries({ type: 'inactive', predicate: dependsOnUser });
    void client.invalidateQueries({ predicate: dependsOnUser });
  };
}
