/** Signing in again, and giving it up. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { account } from '../api/account.ts';
import { session } from '../api/session.ts';
import type { User } from '../api/types.ts';
import { type Credentials, enterBy, enterByPasskey } from '../auth/entrance/queries.ts';
import { isOfPerson, userQuery } from '../auth/queries.ts';

export interface Entered {
  user: Pick<User, 'id'>;
}

function useEnterAgain<Given>(enter: (given: Given) => Promise<Entered>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: enter,
    onSuccess: ({ user }) => {
      session.tellSignIn(user.id);
      // The page of another is loaded anew.
      if (account.enter(user.id)) void account.check();
      // A new password, perhaps the first, ended the session.
      else void client.invalidateQueries(userQuery);
    },
  });
}

export const useSignInAgain = () => useEnterAgain<Credentials>(enterBy('/api/auth/login'));
export const useSecondStepAgain = () =>
  useEnterAgain<{ challenge: string; code: string }>(enterBy('/api/auth/login/second'));
export const usePasskeyAgain = () => useEnterAgain<void>(enterByPasskey);

/** The page is nobody's: what only the person saw is asked for anew, or forgotten. */
export function useStaySignedOut(): () => void {
  const client = useQueryClient();
  return () => {
    client.setQueryData(userQuery.queryKey, null);
    client.removeQueries({ type: 'inactive', predicate: isOfPerson });
    void client.invalidateQueries({ predicate: isOfPerson });
  };
}
