/** Opens the page that the user came from, after signing in. */
import { useRouter } from '@tanstack/react-router';
import { accountWatch } from '../api/account-watch.ts';
import { safePath } from './safe-path.ts';

export function useGoAfterSignIn(): (to: unknown) => void {
  const { history } = useRouter();
  return (to) => {
    const path = safePath(to, location.origin);
    // A full page load removes data of another account from memory.
    if (accountWatch.isReplaced()) location.assign(path);
    else history.push(path);
  };
}
