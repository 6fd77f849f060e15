/** Goes on after signing in, to where one came from. */
import { useRouter } from '@tanstack/react-router';
import { account } from '../api/account.ts';
import { safePath } from './way-back.ts';

export function useArrive(): (to: unknown) => void {
  const { history } = useRouter();
  return (to) => {
    const path = safePath(to, location.origin);
    // Of what somebody else had opened in this page, nothing stays.
    if (account.isOver()) location.assign(path);
    else history.push(path);
  };
}
