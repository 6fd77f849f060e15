/** Goes on after signing in, to where one came from. */
import { useRouter } from '@tanstack/react-router';
import { accountWatch } from '../api/account.ts';
import { safePath } from './way-back.ts';

export function useGoAfterSignIn(): (to: unknown) => void {
  const { history } = useRouter();
  return (to) => {
    const path = safePath(to, location.origin);
    // Of what somebody else had opened in this page, nothing stays.
    if (accountWatch.isReplaced()) location.assign(path);
    else history.push(path);
  };
}
