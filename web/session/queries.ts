/** Signing in again, and giving it up. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { account } from '../api/account.ts';
import { call } from '../api/client.ts';
import { session } from '../api/session.ts';
import type { User } from '../api/types.ts';
import { type Credentials, isOfPerson, userQuery } from '../auth/queries.ts';

function useEnterAgain<Given extends object>(path: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: Given) => call<{ user: User }>('POST', path, { body: { ...given, cookie: true } }),
    onSuccess: ({ user }) => {
      session.tellSignIn(user.id);
      // The page of another is loaded anew.
      if (account.enter(user.id)) void account.check();
      // A new password, perhaps the first, ended the session.
      else void client.invalidateQueries(userQuery);
    },
  });
}

export const useSignInAgain = () => useEnterAgain<Credentials>('/api/auth/login');
export const useSecondStepAgain = () =>
  useEnterAgain<{ challenge: string; code: string }>('/api/auth/login/second');

/** The page is nobody's: what only the person saw is asked for anew, or forgotten. */
export function useStaySignedOut(): () => void {
  const client = useQueryClient();
  return () => {
    client.setQueryData(userQuery.queryKey, null);
    client.removeQueries({ type: 'inactive', predicate: isOfPerson });
    void client.invalidateQueries({ predicate: isOfPerson });
  };
}
